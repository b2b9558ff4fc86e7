#include "backends/quantity.hpp"

#include <cmath>
#include <span>
#include <utility>
#include <vector>

#include "base/number.hpp"
#include "base/text.hpp"

namespace zl::backends {

namespace {

struct Suffix {
  std::string_view name;  ///< lower case
  double factor;
};

/// Known units of a kind, longer spellings first.
std::span<const Suffix> suffixes(Unit unit) {
  static constexpr Suffix clock[] = {{"mhz", 1}, {"ghz", 1e3}};
  static constexpr Suffix power[] = {{"mw", 1e-3}, {"w", 1}};
  static constexpr Suffix temperature[] = {{"\xc2\xb0"
                                            "c",
                                            1},
                                           {"c", 1}};
  static constexpr Suffix share[] = {{"%", 1}};
  static constexpr Suffix memory[] = {{"kib", 1.0 / 1024}, {"mib", 1}, {"gib", 1024},
                                      {"kb", 1.0 / 1024},  {"mb", 1},  {"gb", 1024}};
  switch (unit) {
    case Unit::clock:
      return clock;
    case Unit::power:
      return power;
    case Unit::temperature:
      return temperature;
    case Unit::share:
      return share;
    case Unit::memory:
      return memory;
  }
  return {};
}

}  // namespace

std::optional<double> quantity(std::string_view text, Unit unit) {
  text = trim(text);
  if (text.size() >= 2 && text.front() == '(' && text.back() == ')')
    text = trim(text.substr(1, text.size() - 2));
  double factor = 1;
  const auto small = lower(text);
  for (const auto& suffix : suffixes(unit)) {
    if (!small.ends_with(suffix.name)) continue;
    factor = suffix.factor;
    text = trim(text.substr(0, text.size() - suffix.name.size()));
    break;
  }
  const auto number = parse_double(text);
  if (!number || (*number < 0 && unit != Unit::temperature)) return std::nullopt;
  const double value = *number * factor;
  return std::isfinite(value) ? std::optional(value) : std::nullopt;
}

std::string known_text(std::string_view text) {
  text = trim(text);
  const auto small = lower(text);
  for (const std::string_view word : {"n/a", "na", "-", "none", "unknown", "err!", "null"})
    if (small == word) return {};
  if (text.starts_with('[') && text.ends_with(']')) return {};
  return std::string(text);
}

std::string pci_address(std::string_view text) {
  auto address = lower(trim(text));
  const auto parts = split(address, ':');
  if (parts.size() < 2 || parts.size() > 3) return {};
  for (const auto part : parts)
    if (part.empty() || part.find_first_not_of("0123456789abcdef.") != std::string_view::npos)
      return {};
  if (parts.size() == 2) return "0000:" + address;
  auto domain = parts[0];
  while (domain.size() > 4 && domain.front() == '0') domain.remove_prefix(1);
  return std::string(domain) + address.substr(parts[0].size());
}

}  // namespace zl::backends
