#include "base/error.hpp"

#include <cerrno>
#include <system_error>

#include "base/text.hpp"

namespace zl {

Error input_error(const Position& at, const std::string& message) {
  std::string where = printable(at.file);
  if (at.line != 0) where += ":" + std::to_string(at.line);
  if (at.line != 0 && at.column != 0) where += ":" + std::to_string(at.column);
  return {ErrorKind::input, where + ": " + message};
}

Error usage_error(const std::string& message) {
  return {ErrorKind::usage, message};
}

Error environment_error(const std::string& message) {
  return {ErrorKind::environment, message};
}

Error system_error(const std::string& doing, int error_number) {
  return {ErrorKind::environment, doing + ": " + std::generic_category().message(error_number),
          error_number};
}

bool is_exhaustion(const Error& error) {
  for (const int number : {EAGAIN, ENOMEM, EMFILE, ENFILE, ENOSPC, EDQUOT, EFBIG, EROFS, EIO})
    if (error.number() == number) return true;
  return false;
}

}  // namespace zl
