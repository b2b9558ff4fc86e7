#include "base/number.hpp"

#include <array>
#include <charconv>
#include <cmath>

namespace zl {

std::optional<double> parse_double(std::string_view text) {
  double value = 0;
  const auto* end = text.data() + text.size();
  const auto [stop, ec] = std::from_chars(text.data(), end, value, std::chars_format::general);
  if (ec != std::errc{} || stop != end || !std::isfinite(value)) return std::nullopt;
  return value;
}

std::optional<std::uint64_t> parse_unsigned(std::string_view text) {
  std::uint64_t value = 0;
  const auto* end = text.data() + text.size();
  const auto [stop, ec] = std::from_chars(text.data(), end, value);
  if (ec != std::errc{} || stop != end || text.empty()) return std::nullopt;
  return value;
}

namespace {

template <typename... Arguments>
std::string to_chars_text(double value, Arguments... arguments) {
  std::array<char, 400> buffer{};
  const auto result =
      std::to_chars(buffer.data(), buffer.data() + buffer.size(), value, arguments...);
  return {buffer.data(), result.ptr};
}

}  // namespace

std::string format_number(double value) {
  if (!std::isfinite(value)) return {};
  if (value == 0) return "0";  // -0 would read as a finding
  const double magnitude = std::fabs(value);
  if (magnitude >= 1e-5 && magnitude < 1e21) return to_chars_text(value, std::chars_format::fixed);
  return to_chars_text(value);
}

std::string format_fixed(double value, int decimals) {
  if (!std::isfinite(value)) return {};
  auto text = to_chars_text(value, std::chars_format::fixed, decimals);
  if (text.front() == '-' && text.find_first_not_of("-0.") == std::string::npos) text.erase(0, 1);
  return text;
}

std::string format_rounded(double value, int decimals) {
  auto text = format_fixed(value, decimals);
  if (text.find('.') == std::string::npos) return text;
  while (text.back() == '0') text.pop_back();
  if (text.back() == '.') text.pop_back();
  return text;
}

std::string format_optional(const std::optional<double>& value) {
  return value ? format_number(*value) : std::string{};
}

bool is_json_number(std::string_view text) {
  std::size_t i = 0;
  const auto digits = [&] {
    const auto start = i;
    while (i < text.size() && text[i] >= '0' && text[i] <= '9') ++i;
    return i - start;
  };
  if (i < text.size() && text[i] == '-') ++i;
  const auto integer_at = i;
  const auto integer = digits();
  if (integer == 0 || (integer > 1 && text[integer_at] == '0')) return false;
  if (i < text.size() && text[i] == '.') {
    ++i;
    if (digits() == 0) return false;
  }
  if (i < text.size() && (text[i] == 'e' || text[i] == 'E')) {
    ++i;
    if (i < text.size() && (text[i] == '+' || text[i] == '-')) ++i;
    if (digits() == 0) return false;
  }
  return i == text.size();
}

}  // namespace zl
