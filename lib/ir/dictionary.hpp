#pragma once
// Attribute dictionaries inside one line of MLIR text: taking out entries by their key.

#include <string>
#include <string_view>
#include <vector>

namespace zl::ir {

/// `line` without the entries whose key (quoted or bare) begins with one of `prefixes`, as if
/// they had never been there: a trailing dictionary that held nothing else goes with the blanks
/// and the word `attributes` before it, one that is a value stays as `{}`. Strings, nested
/// brackets and regions are understood; a line whose brackets contradict each other is returned
/// as it is. Without newline; linear in the line's length.
std::string without_entries(std::string_view line, const std::vector<std::string>& prefixes);

}  // namespace zl::ir
