#include "base/files.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <system_error>

#include "base/error.hpp"
#include "base/text.hpp"

namespace zl {

namespace fs = std::filesystem;

namespace {

/// Reads until end of file; false with errno set on failure.
bool read_to_end(int fd, std::string& content) {
  struct stat status {};
  if (::fstat(fd, &status) == 0 && status.st_size > 0)
    content.reserve(static_cast<std::size_t>(status.st_size));
  char buffer[1 << 16];
  for (;;) {
    const ssize_t got = ::read(fd, buffer, sizeof buffer);
    if (got == 0) return true;
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return false;
    content.append(buffer, static_cast<std::size_t>(got));
  }
}

std::optional<std::string> read_or_errno(const fs::path& path) {
  const UniqueFd fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  std::string content;
  if (fd && read_to_end(fd.get(), content)) return content;
  return std::nullopt;
}

/// Makes a rename in this folder durable; some file systems refuse, which is not our failure.
void sync_folder(const fs::path& folder) {
  const UniqueFd fd(
      ::open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (fd) ::fsync(fd.get());
}

}  // namespace

std::string read_file(const fs::path& path) {
  auto content = read_or_errno(path);
  if (!content) throw system_error("cannot read " + in_quotes(path.native()), errno);
  return std::move(*content);
}

std::optional<std::string> try_read_file(const fs::path& path) {
  auto content = read_or_errno(path);
  // A file that only this process cannot open just now is not absent.
  if (!content && (errno == EMFILE || errno == ENFILE || errno == ENOMEM))
    throw system_error("cannot read " + in_quotes(path.native()), errno);
  return content;
}

void write_all(int fd, std::string_view content, const fs::path& name) {
  while (!content.empty()) {
    const ssize_t put = ::write(fd, content.data(), content.size());
    if (put < 0 && errno == EINTR) continue;
    if (put < 0) throw system_error("cannot write " + in_quotes(name.native()), errno);
    content.remove_prefix(static_cast<std::size_t>(put));
  }
}

void replace_file(const fs::path& path, std::string_view content) {
  std::string aside = path.native() + ".XXXXXX";
  const UniqueFd fd(::mkostemp(aside.data(), O_CLOEXEC));
  if (!fd) throw system_error("cannot write " + in_quotes(path.native()), errno);
  try {
    write_all(fd.get(), content, path);
    // mkostemp makes it private; give it what a plain creation would have had.
    const mode_t mask = ::umask(0);
    ::umask(mask);
    struct stat old {};
    const bool existed = ::stat(path.c_str(), &old) == 0;
    if (::fchmod(fd.get(), existed ? old.st_mode & 07777 : 0666 & ~mask) != 0 ||
        ::fsync(fd.get()) != 0 || ::rename(aside.c_str(), path.c_str()) != 0)
      throw system_error("cannot write " + in_quotes(path.native()), errno);
  } catch (...) {
    ::unlink(aside.c_str());
    throw;
  }
  sync_folder(path.parent_path());
}

AppendFile::AppendFile(fs::path path)
    : path_(std::move(path)),
      fd_(::open(path_.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0666)) {
  if (!fd_) throw system_error("cannot open " + in_quotes(path_.native()), errno);
}

void AppendFile::append(std::string_view header, std::string_view lines) const {
  while (::flock(fd_.get(), LOCK_EX) != 0)
    if (errno != EINTR) throw system_error("cannot lock " + in_quotes(path_.native()), errno);
  struct Unlock {
    int fd;
    ~Unlock() { ::flock(fd, LOCK_UN); }
  } const unlock{fd_.get()};
  struct stat status {};
  const bool known = ::fstat(fd_.get(), &status) == 0 && S_ISREG(status.st_mode);
  std::string text;
  if (known && status.st_size == 0) {
    text = header;
  } else if (known) {
    char last = '\n';
    if (::pread(fd_.get(), &last, 1, status.st_size - 1) == 1 && last != '\n') text = "\n";
  }
  text += lines;
  try {
    write_all(fd_.get(), text, path_);
  } catch (...) {
    // A full disk can take half a line; take it back, so that what stands there is whole.
    if (known && ::ftruncate(fd_.get(), status.st_size) != 0) errno = 0;
    throw;
  }
}

void AppendFile::sync() const {
  if (::fdatasync(fd_.get()) != 0 && errno != EINVAL && errno != EROFS)
    throw system_error("cannot sync " + in_quotes(path_.native()), errno);
}

std::optional<FileLock> FileLock::try_acquire(const fs::path& path) {
  UniqueFd fd(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666));
  if (!fd) throw system_error("cannot open " + in_quotes(path.native()), errno);
  if (::flock(fd.get(), LOCK_EX | LOCK_NB) != 0) {
    if (errno == EWOULDBLOCK) return std::nullopt;
    throw system_error("cannot lock " + in_quotes(path.native()), errno);
  }
  if (::ftruncate(fd.get(), 0) != 0)
    throw system_error("cannot write " + in_quotes(path.native()), errno);
  write_all(fd.get(), std::to_string(::getpid()) + "\n", path);
  return FileLock(std::move(fd));
}

void make_folders(const fs::path& path) {
  std::error_code ec;
  fs::create_directories(path, ec);
  if (ec || !fs::is_directory(path, ec))
    throw environment_error("cannot create folder " + in_quotes(path.native()) + ": " +
                            (ec ? ec.message() : "something else has that name"));
}

fs::path temporary_folder() {
  std::error_code ec;
  auto path = fs::temp_directory_path(ec);
  if (!ec) return path;
  for (const char* name : {"TMPDIR", "TMP", "TEMP", "TEMPDIR"})
    if (const char* const value = std::getenv(name); value != nullptr)
      throw environment_error(std::string(name) + ": cannot use " + in_quotes(value) + ": " +
                              ec.message());
  throw environment_error("cannot use '/tmp': " + ec.message());
}

std::string path_component(std::string_view name) {
  constexpr std::string_view digits = "0123456789ABCDEF";
  std::string result;
  for (std::size_t i = 0; i < name.size(); ++i) {
    const auto byte = static_cast<unsigned char>(name[i]);
    const bool unsafe = byte < 0x20 || byte >= 0x7F || byte == '/' || byte == '%' || byte == '\\' ||
                        (i == 0 && byte == '.');
    if (unsafe) {
      result += '%';
      result += digits[byte >> 4U];
      result += digits[byte & 0xFU];
    } else {
      result += static_cast<char>(byte);
    }
  }
  return result.empty() ? "%" : result;
}

std::string name_from_component(std::string_view component) {
  const auto digit = [](char c) -> int {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return -1;
  };
  if (component == "%") return {};
  std::string name;
  for (std::size_t i = 0; i < component.size(); ++i) {
    if (component[i] == '%' && i + 2 < component.size() && digit(component[i + 1]) >= 0 &&
        digit(component[i + 2]) >= 0) {
      name += static_cast<char>(digit(component[i + 1]) * 16 + digit(component[i + 2]));
      i += 2;
    } else {
      name += component[i];
    }
  }
  return name;
}

}  // namespace zl
