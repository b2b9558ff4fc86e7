#pragma once
// Rules that several vendors' visibility variables share.

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "backends/backend.hpp"

namespace zl::backends {

/// Every device, in the listing's order: what an unset variable means.
Visibility all_devices(std::span<const Device> devices);

/// The value of a variable; nothing where it is unset.
std::optional<std::string> variable(const process::Environment& environment, const char* name);

/// A list of plain ordinals, positions in `candidates`: it ends at the first entry that is no
/// number or names no candidate; a repeated entry empties it; "" is none. Blanks around entries
/// are passed over. `name` is for the warnings. Results are elements of `candidates`.
Visibility ordinals(const char* name, std::string_view value,
                    const std::vector<std::size_t>& candidates);

/// Positions 0 … count-1.
std::vector<std::size_t> positions(std::size_t count);

}  // namespace zl::backends
