#include <fcntl.h>

#include <cerrno>
#include <iostream>
#include <mutex>

#include "base/number.hpp"
#include "base/text.hpp"
#include "cli/fd_input.hpp"
#include "cli/run_tool.hpp"

namespace zl::cli {

void Context::say(std::string_view text) const {
  static std::mutex one_line_at_a_time;
  const std::lock_guard lock(one_line_at_a_time);
  std::cerr << name << ": " << printable(text) << std::endl;
}

std::optional<std::string> Context::value(const char* option, const char* variable) const {
  if (const auto given = options.find(option); given != options.end() && !given->second.empty())
    return given->second.front();
  if (variable != nullptr) {
    const auto found = environment.find(variable);
    if (found != environment.end() && !found->second.empty()) return found->second;
  }
  return std::nullopt;
}

std::vector<std::string> Context::values(const std::string& option) const {
  const auto given = options.find(option);
  return given == options.end() ? std::vector<std::string>{} : given->second;
}

namespace {

std::string source_of(const Context& context, const char* option, const char* variable) {
  return context.has(option) || variable == nullptr ? std::string("--") + option : variable;
}

}  // namespace

std::optional<std::uint64_t> Context::count(const char* option, std::uint64_t least,
                                            std::uint64_t most, const char* variable) const {
  const auto text = value(option, variable);
  if (!text) return std::nullopt;
  const auto parsed = parse_unsigned(*text);
  if (!parsed || *parsed < least || *parsed > most)
    throw usage_error(source_of(*this, option, variable) + ": expected a whole number from " +
                      std::to_string(least) + " to " + std::to_string(most) + ", got " +
                      in_quotes(*text));
  return parsed;
}

std::optional<double> Context::number(const char* option, double least, double most,
                                      const char* variable) const {
  const auto text = value(option, variable);
  if (!text) return std::nullopt;
  const auto parsed = parse_double(*text);
  if (!parsed || *parsed < least || *parsed > most)
    throw usage_error(source_of(*this, option, variable) + ": expected a number from " +
                      format_number(least) + " to " + format_number(most) + ", got " +
                      in_quotes(*text));
  return parsed;
}

formats::RowFormat Context::row_format() const {
  return has("json") ? formats::RowFormat::json_lines : formats::RowFormat::tsv;
}

OptionGroup output_options() {
  return {"Output", {{"json", "", "write JSON Lines instead of TSV"}}};
}

Input::Input(const std::string& path, Context& context) : stream_(&context.in), name_("<stdin>") {
  if (path == "-") return;
  fd_ = UniqueFd(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!fd_) throw system_error("cannot read " + in_quotes(path), errno);
  file_ = std::make_unique<FdInput>(fd_.get(), in_quotes(path), context.stop);
  stream_ = file_.get();
  name_ = path;
}

}  // namespace zl::cli
