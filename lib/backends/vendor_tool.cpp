#include "backends/vendor_tool.hpp"

#include <unistd.h>

#include <algorithm>
#include <atomic>

#include "base/error.hpp"
#include "base/number.hpp"
#include "base/text.hpp"
#include "process/guard.hpp"

namespace zl::backends {

bool is_installed(const Surroundings& surroundings, const std::string& tool) {
  return surroundings.run_tool || process::is_program(tool);
}

process::Outcome run_tool(process::Command command, const process::Limits& limits,
                          const process::StopToken& stop) {
  constexpr const char* variable = "ZL_ASKED";
  static std::atomic<unsigned> calls{0};  // a marker a call: other threads' tools are left alone
  const auto marker = std::to_string(::getpid()) + "-" + std::to_string(++calls);
  command.environment[variable] = marker;
  auto outcome = process::run(command, limits, stop);
  process::end_strays(variable, marker);
  return outcome;
}

process::Outcome ask(const Surroundings& surroundings, std::vector<std::string> argv) {
  const auto tool = argv.front();
  if (surroundings.run_tool) return surroundings.run_tool(argv);
  if (!is_installed(surroundings, tool))
    throw environment_error(tool + " is not installed: no such program on PATH");
  process::Command command;
  command.argv = std::move(argv);
  command.environment = {{"LC_ALL", "C"}};
  process::Limits limits;
  limits.deadline_s = surroundings.tool_deadline_s;
  limits.grace_s = 0.5;
  limits.kill_s = 2.0;
  limits.drain_s = 0.2;
  limits.capture_bytes = 16UL << 20U;
  auto outcome = run_tool(std::move(command), limits, surroundings.stop);
  if (outcome.timed_out)
    throw environment_error(
        tool + " did not answer within " + format_number(surroundings.tool_deadline_s) + " s and " +
        (outcome.left_behind == 0
             ? "was ended"
             : "process " + std::to_string(outcome.left_behind) + " could not be ended"));
  if (outcome.stopped) throw environment_error(tool + " was interrupted");
  constexpr int not_found = 127;  // a wrapper's shell, or the loader: the tool itself never ran
  if (outcome.exit_code == not_found)
    throw environment_error(tool + " could not be run; " + complaint(outcome));
  return outcome;
}

std::string first_line(std::string_view text) {
  constexpr std::size_t most = 200;
  for (const auto line : split(text, '\n'))
    // A rule of a table says nothing.
    if (const auto words = trim(line); words.find_first_not_of("+-=|# ") != std::string_view::npos)
      return std::string(words.substr(0, most));
  return {};
}

std::string status_text(const process::Outcome& outcome) {
  if (outcome.signal != 0) return ", ended by signal " + std::to_string(outcome.signal);
  return outcome.exit_code == 0 ? "" : ", exit status " + std::to_string(outcome.exit_code);
}

std::string complaint(const process::Outcome& outcome) {
  auto line = first_line(outcome.out);
  if (line.empty()) line = first_line(outcome.err);
  const auto said = line.empty() ? std::string("it printed nothing") : "it said " + in_quotes(line);
  return said + status_text(outcome);
}

void check_sampler_name(const Surroundings& surroundings, const std::vector<std::string>& known) {
  if (surroundings.sampler.empty()) return;
  if (std::find(known.begin(), known.end(), surroundings.sampler) != known.end()) return;
  throw usage_error("unknown sampler " + in_quotes(surroundings.sampler) +
                    "; this backend has: " + join(known, ", "));
}

std::string_view json_part(std::string_view text) {
  std::size_t at = 0;
  for (const auto line : split(text, '\n')) {
    const auto words = trim(line);
    // "[WARNING] …" is a banner and no list.
    const bool list = words.starts_with('[') &&
                      (trim(words.substr(1)).empty() || trim(words.substr(1)).starts_with('{') ||
                       trim(words.substr(1)).starts_with(']'));
    if (words.starts_with('{') || list) return text.substr(at);
    at += line.size() + 1;
  }
  return {};
}

}  // namespace zl::backends
