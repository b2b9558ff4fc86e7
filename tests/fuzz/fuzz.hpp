#pragma once
// What the fuzzers share: saying which property does not hold, letting the documented errors pass,
// and inputs for readers that take a file or a folder.

#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <string_view>

#include "base/error.hpp"

namespace zl::fuzz {

inline std::string_view text_of(const std::uint8_t* data, std::size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

/// Ends with a finding that names the property.
inline void require(bool holds, const char* property) {
  if (holds) return;
  std::fprintf(stderr, "property does not hold: %s\n", property);
  std::abort();
}

/// Malformed input is an input error (of the kind given); any other kind would blame the
/// surroundings, and any other exception ends the fuzzer with a finding.
template <typename Use>
void errors_only_of(ErrorKind kind, const Use& use) {
  try {
    use();
  } catch (const Error& error) {
    if (error.kind() != kind) std::fprintf(stderr, "error of another kind: %s\n", error.what());
    require(error.kind() == kind, "only errors of the documented kind are thrown");
  }
}
template <typename Use>
void input_errors_only(const Use& use) {
  errors_only_of(ErrorKind::input, use);
}

/// What reads back something of our own: an error is a finding.
template <typename Use>
auto without_error(const Use& use) {
  try {
    return use();
  } catch (const Error& error) {
    std::fprintf(stderr, "%s\n", error.what());
    require(false, "what was written can be read");
    throw;
  }
}

/// A file in memory, for readers that open a path.
class File {
 public:
  explicit File(std::string_view content) : fd_(::memfd_create("input", MFD_CLOEXEC)) {
    require(fd_ >= 0 && ::write(fd_, content.data(), content.size()) ==
                            static_cast<ssize_t>(content.size()),
            "the input can be written to memory");
  }
  ~File() { ::close(fd_); }
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  std::filesystem::path path() const { return "/proc/self/fd/" + std::to_string(fd_); }

 private:
  int fd_;
};

/// A folder for the whole run, removed at its end.
class Folder {
 public:
  Folder() {
    auto name = (std::filesystem::temp_directory_path() / "zl-fuzz-XXXXXX").native();
    require(::mkdtemp(name.data()) != nullptr, "a temporary folder can be made");
    path_ = name;
  }
  ~Folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  const std::filesystem::path& path() const { return path_; }
  /// Writes a file below the folder, whose own folder must be there.
  void write(const char* name, std::string_view content) const {
    const int fd = ::open((path_ / name).c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    require(fd >= 0 &&
                ::write(fd, content.data(), content.size()) == static_cast<ssize_t>(content.size()),
            "the input can be written to a file");
    ::close(fd);
  }

 private:
  std::filesystem::path path_;
};

}  // namespace zl::fuzz
