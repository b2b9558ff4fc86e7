#pragma once
// One kernel's bytes, from wherever they come, to its digest: in pieces of one mebibyte, so that
// memory does not depend on the file.

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "ir/criterion.hpp"
#include "ir/digest.hpp"

namespace zl::ir {

struct KernelFacts {
  Digest digest;
  std::uint64_t bytes = 0;        ///< of the canonical text
  std::uint32_t conversions = 0;  ///< layout conversions; 0 in binaries
  bool complete = true;           ///< false: empty, or a module that was cut short
};

/// Gives up to `size` bytes; 0 at the end.
using ReadSome = std::function<std::size_t(char* to, std::size_t size)>;

class KernelReader {
 public:
  explicit KernelReader(const Criterion& criterion);
  /// Reads to the end. Text goes through the canonical form; what has a zero byte among its first
  /// 8,192 is a binary and counts as it is. The canonical text is appended to `text` if given.
  KernelFacts read(const ReadSome& more, std::string* text = nullptr);
  /// A file. Throws Error(input) naming it when it is no regular file, cannot be read, or changed
  /// while it was read, three times in a row.
  KernelFacts read_file(const std::string& path, std::string* text = nullptr);
  /// Called after a file was read, before it is looked at again; a seam for tests.
  std::function<void()> after_reading;

 private:
  struct Progress;
  void take(Progress& progress, const char* bytes, std::size_t size);
  void take_lines(Progress& progress, const char* bytes, std::size_t size);

  std::vector<std::string> strip_;
  Hasher hasher_;
  std::unique_ptr<char[]> in_, out_;
};

}  // namespace zl::ir
