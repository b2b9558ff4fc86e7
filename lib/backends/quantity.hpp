#pragma once
// One parser for every vendor's fields: a number with a unit of its kind, or nothing.

#include <optional>
#include <string>
#include <string_view>

namespace zl::backends {

enum class Unit { clock, power, temperature, share, memory };

/// A field as MHz, W, degrees Celsius, percent or MiB. Blanks around it, round brackets around it
/// and a unit behind it (glued on or after a blank) are passed over; mW, KiB and GiB are
/// converted, MB and GB are taken for MiB and GiB, which is what vendors mean. Anything else,
/// `[N/A]`, `ERR!`, an unknown unit, a negative clock, is nothing: never 0.
std::optional<double> quantity(std::string_view text, Unit unit);

/// A field that carries words: "" for N/A in any spelling, for `NA`, `-`, and for anything in
/// square brackets.
std::string known_text(std::string_view text);

/// "0000:3B:00.0", "00000000:3b:00.0" as "0000:3b:00.0": four digits of domain unless more are
/// needed. What is no PCI address comes back as "".
std::string pci_address(std::string_view text);

}  // namespace zl::backends
