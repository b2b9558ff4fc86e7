#pragma once
// What counts as code and what is taken out of it before two kernels are compared. A verdict
// records its criterion, and fingerprints of two criteria never agree.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace zl::ir {

/// Version of the canonical form; it grows whenever a digest could change.
constexpr const char* criterion_version = "irfp/1";

struct Criterion {
  std::vector<std::string> extensions = {"ttgir"};  ///< without the dot
  std::vector<std::string> strip = {"ttg.rlc-"};    ///< prefixes of attribute names
  std::vector<std::string> kernels;                 ///< globs; empty takes every kernel
  std::vector<std::string> ignored;                 ///< globs; they win over `kernels`

  /// `irfp/1`, followed by ` ext=… strip=… kernel=… ignore=…` for what differs from the default.
  /// The order in which values were given does not matter.
  std::string text() const;
  /// Of the text; every digest is seeded with it.
  std::uint64_t seed() const;
  /// Whether a file of this name is a kernel under test.
  bool is_kernel(std::string_view file_name) const;
};

/// Throws Error(usage) for an empty prefix or extension, and for an extension with a slash.
void check(const Criterion& criterion);

}  // namespace zl::ir
