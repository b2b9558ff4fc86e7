#pragma once
// Numbers to text and back, independent of the locale.

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>

namespace zl {

/// The whole of `text` as a finite decimal number; nothing for "", "nan", "inf", hexadecimal,
/// or anything with a byte left over. A leading `+` is not a number.
std::optional<double> parse_double(std::string_view text);
/// The whole of `text` as decimal digits.
std::optional<std::uint64_t> parse_unsigned(std::string_view text);

/// A whole number that Integer holds; nothing for a fraction and for what lies outside.
template <typename Integer>
std::optional<Integer> as_whole(double value) {
  // Compared as doubles: the largest value of 64 bits rounds up to 2^64, which is outside.
  constexpr double least = static_cast<double>(std::numeric_limits<Integer>::min());
  constexpr Integer half = std::numeric_limits<Integer>::max() / 2 + 1;
  constexpr double beyond = 2.0 * static_cast<double>(half);
  if (!(value >= least && value < beyond)) return std::nullopt;
  const auto whole = static_cast<Integer>(value);
  return static_cast<double>(whole) == value ? std::optional(whole) : std::nullopt;
}

/// Shortest text that reads back as the same value; integers without a point; never exponent
/// form between 1e-5 and 1e21. "" for NaN and infinities, which no row format can carry.
std::string format_number(double value);
/// As above, rounded to `decimals` places first, without trailing zeros.
std::string format_rounded(double value, int decimals);
/// Exactly `decimals` places, for columns that people read.
std::string format_fixed(double value, int decimals);
/// "" where there is no value.
std::string format_optional(const std::optional<double>& value);

/// Whether the text is a number in JSON's grammar, so that it may stand unquoted.
bool is_json_number(std::string_view text);

}  // namespace zl
