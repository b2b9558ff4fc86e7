#pragma once
// Standard output with a memory: std::cout forgets why a write failed.

#include <array>
#include <streambuf>

namespace zl::cli {

/// Buffers writes to a descriptor that it does not own. Once a write failed, all later ones fail.
class FdOutput : public std::streambuf {
 public:
  explicit FdOutput(int fd) : fd_(fd) { setp(buffer_.data(), buffer_.data() + buffer_.size()); }
  /// Rows that stand before an error are still written.
  ~FdOutput() override { FdOutput::sync(); }
  FdOutput(const FdOutput&) = delete;
  FdOutput& operator=(const FdOutput&) = delete;
  /// errno of the first write that failed; 0 for none.
  int error() const { return error_; }

 protected:
  int_type overflow(int_type c) override;
  int sync() override;

 private:
  int fd_;
  int error_ = 0;
  std::array<char, 1 << 16> buffer_{};
};

}  // namespace zl::cli
