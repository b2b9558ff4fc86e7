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
      : path_(std::filesystem::temp_directory_path() / "zl-irfp-XXXXXX") {
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

}  // namespace

std::string text_diff(const std::string& before, const std::string& after, const std::string& before_label,
                      const std::string& after_label, bool colour) {
  const TemporaryFile a(before), b(after);
  process::Command command;
  command.argv = {"diff",    "-u",         "-F",      "func", colour ? "--color=always" : "--color=never",
                  "--label", before_label, "--label", after_label,
                  a.path(),  b.path()};
  const auto outcome = process::run(command);
  if (outcome.exit_code > 1)
    throw environment_error("diff failed: " + printable(std::string(trim(outcome.err))));
  return outcome.out;
}

}  // namespace zl::ir
