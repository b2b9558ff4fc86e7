#pragma once
// Plain text helpers without domain knowledge: trimming, splitting, escaping for messages.

#include <string>
#include <string_view>
#include <vector>

namespace zl {

/// Without leading and trailing blanks, tabs, CR and LF.
std::string_view trim(std::string_view text);
std::vector<std::string_view> split(std::string_view text, char separator);
std::string join(const std::vector<std::string>& parts, std::string_view separator);
std::string lower(std::string_view text);
bool equal_ignoring_case(std::string_view a, std::string_view b);

/// For messages: control characters and bytes that are not UTF-8 become `\xNN`, so that a name
/// from a file can never move a terminal's cursor.
std::string printable(std::string_view text);
/// `printable` between single quotes.
std::string in_quotes(std::string_view text);

/// "1 row", "2 rows": a count before the noun that it counts.
std::string counted(std::size_t count, const std::string& noun);

/// Whether `text` is well-formed UTF-8.
bool is_utf8(std::string_view text);

/// Up to `most` of `known` nearest to `wanted` by edit distance, nearest first; those further
/// than half the length of the wanted name are left out.
std::vector<std::string> near_names(std::string_view wanted, const std::vector<std::string>& known,
                                    std::size_t most = 3);

/// Shell pattern match with `*`, `?` and `[…]`, over the whole name (POSIX fnmatch, no flags).
bool glob_match(const std::string& pattern, const std::string& name);

/// Splits a command template as a shell would split words (single and double quotes,
/// backslash), without expanding anything. Throws Error(usage) on an unbalanced quote.
std::vector<std::string> split_words(std::string_view text);

}  // namespace zl
