#pragma once
// A unified diff of two texts, by diff(1).

#include <string>

namespace zl::ir {

/// `diff -u` of the texts, whose hunks carry the last line that names a function. "" where they
/// agree. Throws Error(environment) when diff is missing or fails.
std::string text_diff(const std::string& before, const std::string& after, const std::string& before_label,
                      const std::string& after_label, bool colour);

}  // namespace zl::ir
