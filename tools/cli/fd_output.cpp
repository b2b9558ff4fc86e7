#include "cli/fd_output.hpp"

#include <unistd.h>

#include <cerrno>

namespace zl::cli {

FdOutput::int_type FdOutput::overflow(int_type c) {
  if (sync() != 0) return traits_type::eof();
  if (!traits_type::eq_int_type(c, traits_type::eof())) {
    *pptr() = traits_type::to_char_type(c);
    pbump(1);
  }
  return traits_type::not_eof(c);
}

int FdOutput::sync() {
  const char* at = pbase();
  while (error_ == 0 && at < pptr()) {
    const ssize_t put = ::write(fd_, at, static_cast<std::size_t>(pptr() - at));
    if (put >= 0)
      at += put;
    else if (errno != EINTR)
      error_ = errno;
  }
  setp(buffer_.data(), buffer_.data() + buffer_.size());
  return error_ == 0 ? 0 : -1;
}

}  // namespace zl::cli
