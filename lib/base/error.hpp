#pragma once
// The one exception type of the library, and positions inside inputs. What a kind means to a
// shell is decided in one place only: tools/cli/exit_status.hpp.

#include <cstddef>
#include <stdexcept>
#include <string>

namespace zl {

enum class ErrorKind {
  usage,        ///< the call itself is wrong: an option, an operand, a combination
  input,        ///< what was read is wrong; the message names file, line and column
  environment,  ///< the surroundings failed: no device, no permission, disk full, tool missing
  caliber,      ///< two runs must not be compared
};

class Error : public std::runtime_error {
 public:
  Error(ErrorKind kind, const std::string& message, int number = 0)
      : std::runtime_error(message), kind_(kind), number_(number) {}
  ErrorKind kind() const { return kind_; }
  /// The errno behind it; 0 where there is none.
  int number() const { return number_; }

 private:
  ErrorKind kind_;
  int number_;
};

/// A place in an input: 1-based line and byte column; 0 where the notion does not apply.
struct Position {
  std::string file;
  std::size_t line = 0;
  std::size_t column = 0;
};

/// `file:line:column: message`, leaving out the parts that are 0.
Error input_error(const Position& at, const std::string& message);
Error usage_error(const std::string& message);
Error environment_error(const std::string& message);
/// `doing what: strerror(error_number)`
Error system_error(const std::string& doing, int error_number);
/// Whether the machine had none left of what every program needs: processes, descriptors, memory,
/// room on a disk that can be written.
bool is_exhaustion(const Error& error);

}  // namespace zl
