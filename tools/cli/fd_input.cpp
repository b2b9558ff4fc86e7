#include "cli/fd_input.hpp"

#include <poll.h>
#include <unistd.h>

#include <cerrno>

#include "base/error.hpp"

namespace zl::cli {

FdBuffer::FdBuffer(int fd, std::string name, process::StopToken stop)
    : fd_(fd), name_(std::move(name)), stop_(std::move(stop)) {}

FdBuffer::int_type FdBuffer::underflow() {
  if (gptr() < egptr()) return traits_type::to_int_type(*gptr());
  for (;;) {
    pollfd waits[2] = {{fd_, POLLIN, 0}, {stop_.fd(), POLLIN, 0}};
    if (::poll(waits, 2, -1) < 0 && errno != EINTR) throw system_error("cannot wait", errno);
    if (stop_.requested()) throw Interrupted{};
    if (waits[0].revents == 0) continue;
    const ssize_t got = ::read(fd_, bytes_.data(), bytes_.size());
    if (got == 0) return traits_type::eof();
    if (got > 0) {
      setg(bytes_.data(), bytes_.data(), bytes_.data() + got);
      return traits_type::to_int_type(*gptr());
    }
    if (errno != EINTR && errno != EAGAIN) throw system_error("cannot read " + name_, errno);
  }
}

FdInput::FdInput(int fd, std::string name, process::StopToken stop)
    : std::istream(nullptr), buffer_(fd, std::move(name), std::move(stop)) {
  rdbuf(&buffer_);
  exceptions(std::ios::badbit);
}

}  // namespace zl::cli
