#include "backends/cuda_visibility.hpp"

#include <algorithm>

#include "backends/visibility.hpp"
#include "base/number.hpp"
#include "base/text.hpp"

namespace zl::backends {

namespace {

constexpr const char* name = "CUDA_VISIBLE_DEVICES";

bool is_part(const Device& device) {
  return device.index.find(':') != std::string::npos;
}

/// What ordinals count. CUDA enumerates one MIG part only, the first, and a card in MIG mode not
/// at all.
std::vector<std::size_t> enumerated(std::span<const Device> devices) {
  std::vector<std::size_t> cards;
  for (std::size_t i = 0; i < devices.size(); ++i) {
    if (is_part(devices[i])) return {i};
    cards.push_back(i);
  }
  return cards;
}

/// "1gpu2" is 1 and "+3" is 3: the leading number, as strtoul takes it; nothing for others.
std::optional<std::uint64_t> leading_ordinal(std::string_view entry) {
  entry = trim(entry);
  const bool minus = entry.starts_with('-');
  if (minus || entry.starts_with('+')) entry.remove_prefix(1);
  const auto digits = std::min(entry.find_first_not_of("0123456789"), entry.size());
  const auto number = parse_unsigned(entry.substr(0, digits));
  if (!number || (minus && *number != 0)) return std::nullopt;
  return number;
}

/// The one device whose UUID begins so; nothing where none or several do.
std::optional<std::size_t> by_prefix(std::span<const Device> devices, std::string_view prefix) {
  std::optional<std::size_t> found;
  for (std::size_t i = 0; i < devices.size(); ++i) {
    if (!lower(devices[i].uuid).starts_with(lower(prefix))) continue;
    if (found) return std::nullopt;
    found = i;
  }
  return found;
}

bool names_uuid(std::string_view entry) {
  return entry.starts_with("GPU-") || entry.starts_with("MIG-");
}

std::string ends_at(std::string_view entry) {
  return std::string(name) + ": the list ends at " + in_quotes(entry) + ", which names no device";
}

/// Takes entries by `resolve` until one is invalid; a repeated one empties the list.
template <typename Resolve>
void select(std::string_view value, Visibility& result, Resolve resolve) {
  for (const auto entry : split(value, ',')) {
    const auto position = resolve(trim(entry));
    if (!position) {
      const auto word = trim(entry);
      if (word != "-1" && word != "NoDevFiles") result.warnings.push_back(ends_at(word));
      return;
    }
    if (std::count(result.selected.begin(), result.selected.end(), *position) != 0) {
      result.warnings.push_back(std::string(name) + ": " + in_quotes(trim(entry)) +
                                " is repeated, which empties the list");
      result.selected.clear();
      return;
    }
    result.selected.push_back(*position);
  }
}

bool order_is_known(const process::Environment& environment, std::span<const Device> devices) {
  if (variable(environment, "CUDA_DEVICE_ORDER").value_or("") == "PCI_BUS_ID") return true;
  return std::all_of(devices.begin(), devices.end(), [&](const Device& device) {
    return is_part(device) || device.name == devices.front().name;
  });
}

}  // namespace

Visibility cuda_visibility(const process::Environment& environment,
                           std::span<const Device> devices) {
  const auto cards = enumerated(devices);
  const auto value = variable(environment, name);
  if (!value) return {false, true, cards, {}};
  Visibility result;
  result.restricted = true;
  if (trim(*value).empty()) return result;
  using Found = std::optional<std::size_t>;
  if (names_uuid(trim(*value))) {
    const bool parts = trim(*value).starts_with("MIG-");
    select(*value, result, [&](std::string_view entry) -> Found {
      if (!names_uuid(entry)) return std::nullopt;
      return by_prefix(devices, entry);
    });
    if (parts && result.selected.size() > 1) {
      result.warnings.push_back(std::string(name) + ": CUDA takes one MIG device, the first");
      result.selected.resize(1);
    }
    return result;
  }
  select(*value, result, [&](std::string_view entry) -> Found {
    const auto ordinal = leading_ordinal(entry);
    return ordinal && *ordinal < cards.size() ? Found(cards[*ordinal]) : std::nullopt;
  });
  if (!result.selected.empty() && !order_is_known(environment, devices)) {
    result.decided = false;
    result.warnings.push_back(
        std::string(name) +
        ": the cards differ, and without CUDA_DEVICE_ORDER=PCI_BUS_ID CUDA numbers them by speed; "
        "which are meant is not decided");
  }
  return result;
}

}  // namespace zl::backends
