#include "backends/visibility.hpp"

#include <algorithm>
#include <numeric>

#include "base/number.hpp"
#include "base/text.hpp"

namespace zl::backends {

std::vector<std::size_t> positions(std::size_t count) {
  std::vector<std::size_t> all(count);
  std::iota(all.begin(), all.end(), std::size_t{0});
  return all;
}

Visibility all_devices(std::span<const Device> devices) {
  return {false, true, positions(devices.size()), {}};
}

std::optional<std::string> variable(const process::Environment& environment, const char* name) {
  const auto found = environment.find(name);
  if (found == environment.end()) return std::nullopt;
  return found->second;
}

Visibility ordinals(const char* name, std::string_view value,
                    const std::vector<std::size_t>& candidates) {
  Visibility result;
  result.restricted = true;
  if (trim(value).empty()) return result;
  for (const auto entry : split(value, ',')) {
    const auto ordinal = parse_unsigned(trim(entry));
    if (!ordinal || *ordinal >= candidates.size()) {
      if (trim(entry) != "-1")
        result.warnings.push_back(std::string(name) + ": the list ends at " + in_quotes(entry) +
                                  ", which names no device");
      return result;
    }
    const auto position = candidates[*ordinal];
    if (std::count(result.selected.begin(), result.selected.end(), position) != 0) {
      result.warnings.push_back(std::string(name) + ": " + in_quotes(entry) +
                                " is repeated, which empties the list");
      result.selected.clear();
      return result;
    }
    result.selected.push_back(position);
  }
  return result;
}

}  // namespace zl::backends
