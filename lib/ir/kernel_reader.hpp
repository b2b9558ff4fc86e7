#pragma once
// One kernel's bytes, from wherever they come, to its digest: in pieces of one mebibyte, so that
// memory does not depend on the file.

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "ir/criterion.hpp"
#include "ir/digest.hpp"
#include "process/stop.hpp"

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
  /// Ends with Error(environment) "interrupted" on a stop request.
  explicit KernelReader(const Criterion& criterion, process::StopToken stop = {});
  /// Reads to the end; `name` is for messages. Throws Error(input) for more than `most_bytes`. Text
  /// goes through the canonical form; what has a zero byte among its first
  /// 8,192 is a binary and counts as it is. The canonical text is appended to `text` if given.
  KernelFacts read(const std::string& name, const ReadSome& more, std::string* text = nullptr);
  /// A file. Throws Error(input) naming it when it is no regular file, cannot be read, or changed
  /// while it was read, three times in a row.
  KernelFacts read_file(const std::string& path, std::string* text = nullptr);
  /// Called after a file was read, before it is looked at again; a seam for tests.
  std::function<void()> after_reading;
  /// What is larger is a hole, or zeros well compressed, rather than code.
  std::uint64_t most_bytes = std::uint64_t{16} << 30U;

 private:
  struct Progress;
  void take(Progress& progress, const char* bytes, std::size_t size);
  void take_lines(Progress& progress, const char* bytes, std::size_t size);

  process::StopToken stop_;
  std::vector<std::string> strip_;
  Hasher hasher_;
  std::unique_ptr<char[]> in_, out_;
};

}  // namespace zl::ir
