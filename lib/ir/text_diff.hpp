#pragma once
// A unified diff of two texts, by diff(1).

#include <string>

namespace zl::ir {

/// `diff -u` of the texts; each hunk's first line ends in `name`. "" where they agree. Throws
/// Error(environment) when diff is missing or fails.
std::string text_diff(const std::string& before, const std::string& after,
                      const std::string& before_label, const std::string& after_label,
                      const std::string& name, bool colour);

}  // namespace zl::ir
