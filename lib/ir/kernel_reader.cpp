#include "ir/kernel_reader.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "base/error.hpp"
#include "base/text.hpp"
#include "base/unique_fd.hpp"
#include "ir/canonical.hpp"

namespace zl::ir {

namespace {

constexpr std::size_t capacity = longest_line;
constexpr std::size_t looked_at_for_zero = 8192;

}  // namespace

struct KernelReader::Progress {
  KernelFacts facts;
  TextFacts seen;
  std::string* text = nullptr;
};

KernelReader::KernelReader(const Criterion& criterion, process::StopToken stop)
    : stop_(std::move(stop)),
      strip_(criterion.strip),
      hasher_(criterion.seed()),
      in_(std::make_unique_for_overwrite<char[]>(capacity + canonical_padding)),
      out_(std::make_unique_for_overwrite<char[]>(capacity + 1 + canonical_padding)) {}

void KernelReader::take(Progress& progress, const char* bytes, std::size_t size) {
  hasher_.add({bytes, size});
  progress.facts.bytes += size;
  if (progress.text != nullptr) progress.text->append(bytes, size);
}

void KernelReader::take_lines(Progress& progress, const char* bytes, std::size_t size) {
  const char* end = canonical_lines({bytes, size}, strip_, out_.get(), progress.seen);
  take(progress, out_.get(), static_cast<std::size_t>(end - out_.get()));
}

KernelFacts KernelReader::read(const std::string& name, const ReadSome& more, std::string* text) {
  hasher_.reset();
  Progress progress;
  progress.text = text;
  std::size_t held = 0;
  std::uint64_t total = 0;
  bool ended = false, first = true, binary = false, inside_long_line = false;
  while (!ended) {
    while (held < capacity && !ended) {
      const auto got = more(in_.get() + held, capacity - held);
      ended = got == 0;
      held += got;
      total += got;
    }
    if (stop_.requested()) throw environment_error("interrupted");
    if (total > most_bytes)
      throw input_error({name, 0, 0}, "expected at most " + std::to_string(most_bytes) + " bytes");
    // What stands behind the bytes is read by the scanner, though it means nothing.
    std::memset(in_.get() + held, 0, canonical_padding);
    if (first) binary = std::memchr(in_.get(), 0, std::min(held, looked_at_for_zero)) != nullptr;
    first = false;
    std::size_t done = 0;
    if (binary) done = held;
    if (inside_long_line) {
      const void* newline = std::memchr(in_.get(), '\n', held);
      inside_long_line = newline == nullptr && !ended;
      done = newline != nullptr
                 ? static_cast<std::size_t>(static_cast<const char*>(newline) - in_.get()) + 1
                 : held;
    }
    if (done > 0) take(progress, in_.get(), done);
    const auto* newline = static_cast<const char*>(memrchr(in_.get() + done, '\n', held - done));
    const std::size_t whole =
        newline != nullptr ? static_cast<std::size_t>(newline - in_.get()) + 1 : done;
    if (done == 0 && whole == 0 && held == capacity) {
      take(progress, in_.get(), held);  // a line that is too long begins
      inside_long_line = !ended;
      done = held;
    } else {
      const std::size_t until = ended ? held : whole;
      if (until > done) take_lines(progress, in_.get() + done, until - done);
      done = std::max(until, done);
    }
    held -= done;
    std::memmove(in_.get(), in_.get() + done, held);
  }
  auto& facts = progress.facts;
  facts.digest = hasher_.digest();
  facts.conversions = static_cast<std::uint32_t>(progress.seen.conversions);
  facts.complete = facts.bytes > 0 && progress.seen.complete();
  return facts;
}

namespace {

struct stat status_of(int fd, const std::string& path) {
  struct stat status {};
  if (::fstat(fd, &status) != 0)
    throw input_error({path, 0, 0}, std::string("cannot be read: ") + std::strerror(errno));
  return status;
}

bool same_moment(const struct stat& a, const struct stat& b) {
  return a.st_size == b.st_size && a.st_mtim.tv_sec == b.st_mtim.tv_sec &&
         a.st_mtim.tv_nsec == b.st_mtim.tv_nsec && a.st_ctim.tv_sec == b.st_ctim.tv_sec &&
         a.st_ctim.tv_nsec == b.st_ctim.tv_nsec;
}

}  // namespace

KernelFacts KernelReader::read_file(const std::string& path, std::string* text) {
  const std::string name = printable(path);
  const std::size_t text_size = text != nullptr ? text->size() : 0;
  for (int attempt = 0; attempt < 3; ++attempt) {
    // Without O_NONBLOCK a named pipe would hold us here for ever.
    const UniqueFd fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
    if (!fd)
      throw input_error({name, 0, 0}, std::string("cannot be read: ") + std::strerror(errno));
    const auto before = status_of(fd.get(), name);
    if (!S_ISREG(before.st_mode)) throw input_error({name, 0, 0}, "is not a regular file");
    std::uint64_t total = 0;
    const auto facts = read(
        name,
        [&](char* to, std::size_t size) {
          // The end is known from the size; one call less a file.
          if (total == static_cast<std::uint64_t>(before.st_size)) return std::size_t{0};
          ssize_t got = 0;
          do got = ::read(fd.get(), to, size);
          while (got < 0 && errno == EINTR);
          if (got < 0)
            throw input_error({name, 0, 0}, std::string("cannot be read: ") + std::strerror(errno));
          total += static_cast<std::uint64_t>(got);
          return static_cast<std::size_t>(got);
        },
        text);
    if (after_reading) after_reading();
    if (total == static_cast<std::uint64_t>(before.st_size) &&
        same_moment(before, status_of(fd.get(), name)))
      return facts;
    if (text != nullptr) text->resize(text_size);
  }
  throw input_error({name, 0, 0}, "changes while it is being read");
}

}  // namespace zl::ir
