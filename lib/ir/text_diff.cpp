#include "ir/text_diff.hpp"

#include <cstdlib>
#include <filesystem>
#include <system_error>

#include "base/error.hpp"
#include "base/files.hpp"
#include "base/text.hpp"
#include "base/unique_fd.hpp"
#include "process/process.hpp"

namespace zl::ir {

namespace {

/// A file that is gone when it goes out of scope.
class TemporaryFile {
 public:
  explicit TemporaryFile(const std::string& content)
      : path_(temporary_folder() / "zl-irfp-XXXXXX") {
    const UniqueFd fd(::mkstemp(path_.data()));
    if (!fd) throw system_error("cannot create " + in_quotes(path_), errno);
    write_all(fd.get(), content, path_);
  }
  ~TemporaryFile() {
    std::error_code ignored;
    std::filesystem::remove(path_, ignored);
  }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

/// diff(1) would cut a function's line at 40 characters; the name stands here in full instead.
std::string with_name(std::string_view diff, const std::string& name) {
  std::string result;
  for (const auto line : split(diff, '\n')) {
    const auto start = line.starts_with("\x1b[36m") ? std::size_t{5} : 0;
    const auto end = line.find(" @@", start);
    if (line.substr(start).starts_with("@@ -") && end != std::string_view::npos) {
      result += line.substr(0, end + 3);
      result += " " + name;
      result += line.substr(end + 3);
    } else {
      result += line;
    }
    result += '\n';
  }
  result.pop_back();  // what split made of the last newline
  return result;
}

}  // namespace

std::string text_diff(const std::string& before, const std::string& after,
                      const std::string& before_label, const std::string& after_label,
                      const std::string& name, bool colour) {
  const TemporaryFile a(before), b(after);
  process::Command command;
  command.argv = {"diff",    "-u",         "--text",  colour ? "--color=always" : "--color=never",
                  "--label", before_label, "--label", after_label,
                  a.path(),  b.path()};
  process::Limits limits;
  limits.capture_bytes = before.size() + after.size() + (std::size_t{16} << 20U);
  const auto outcome = process::run(command, limits);
  if (outcome.exit_code > 1)
    throw environment_error("diff failed: " + printable(std::string(trim(outcome.err))));
  return with_name(outcome.out, name);
}

}  // namespace zl::ir
