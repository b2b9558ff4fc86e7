#pragma once
// Reading a descriptor as a stream whose waits end when a stop is requested: without this, a tool
// that catches SIGINT and waits for its standard input could not be interrupted.

#include <array>
#include <istream>
#include <streambuf>
#include <string>

#include "process/stop.hpp"

namespace zl::cli {

/// Thrown by a read that a stop request ended; run_tool turns it into 128 + signal. Not an
/// std::exception, so that nothing takes it for a failure.
struct Interrupted {};

class FdBuffer : public std::streambuf {
 public:
  /// Does not own `fd`. `name` is what messages call it, printable.
  FdBuffer(int fd, std::string name, process::StopToken stop);

 protected:
  /// Throws Interrupted, or Error(environment) when reading fails.
  int_type underflow() override;

 private:
  int fd_;
  std::string name_;
  process::StopToken stop_;
  std::array<char, 1 << 16> bytes_;
};

/// A stream over such a buffer; what the buffer throws leaves std::getline and operator>>.
class FdInput : public std::istream {
 public:
  FdInput(int fd, std::string name, process::StopToken stop);

 private:
  FdBuffer buffer_;
};

}  // namespace zl::cli
