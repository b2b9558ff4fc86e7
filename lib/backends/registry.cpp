#include "backends/registry.hpp"

#include "backends/quantity.hpp"
#include "base/error.hpp"
#include "base/text.hpp"

namespace zl::backends {

const std::vector<Backend>& registry() {
  static const std::vector<Backend> all = {
      make_cuda_backend(),   make_musa_backend(), make_rocm_backend(),
      make_ascend_backend(), make_host_backend(),
  };
  return all;
}

Surroundings this_machine() {
  Surroundings surroundings;
  surroundings.environment = process::current_environment();
  return surroundings;
}

namespace {

bool is_called(const Traits& traits, const std::string& name) {
  if (equal_ignoring_case(traits.name, name)) return true;
  for (const auto& alias : traits.aliases)
    if (equal_ignoring_case(alias, name)) return true;
  return false;
}

}  // namespace

const Backend& find_backend(const std::string& name, const Surroundings& surroundings) {
  if (name.empty() || equal_ignoring_case(name, "auto")) {
    for (const auto& backend : registry())
      if (backend.answers(surroundings)) return backend;
    return registry().back();
  }
  std::vector<std::string> known = {"auto"};
  for (const auto& backend : registry()) {
    if (is_called(backend.traits, name)) return backend;
    known.push_back(backend.traits.name);
    known.insert(known.end(), backend.traits.aliases.begin(), backend.traits.aliases.end());
  }
  throw usage_error("unknown backend " + in_quotes(name) + "; known are: " + join(known, ", "));
}

void apply_visibility(Visibility visibility, Listing& listing) {
  for (auto& device : listing.devices)
    device.visible = visibility.decided ? std::optional(false) : std::nullopt;
  if (visibility.decided)
    for (const auto position : visibility.selected) listing.devices.at(position).visible = true;
  listing.selected = std::move(visibility.selected);
  for (auto& warning : visibility.warnings) listing.warnings.push_back(std::move(warning));
}

namespace {

std::optional<std::size_t> find_device(const Listing& listing, const std::string& selector) {
  const auto address = pci_address(selector);  // however many digits of the domain it has
  for (std::size_t i = 0; i < listing.devices.size(); ++i) {
    const auto& device = listing.devices[i];
    if (device.index == selector || equal_ignoring_case(device.uuid, selector) ||
        (!address.empty() && equal_ignoring_case(device.pci_bus_id, address)))
      return i;
  }
  std::optional<std::size_t> found;
  for (std::size_t i = 0; i < listing.devices.size() && selector.size() >= 4; ++i) {
    const auto& device = listing.devices[i];
    const bool prefix = lower(device.uuid).starts_with(lower(selector));
    const bool pci_tail = lower(device.pci_bus_id).ends_with(lower(selector));
    if (!prefix && !pci_tail) continue;
    if (found) return std::nullopt;  // ambiguous
    found = i;
  }
  return found;
}

}  // namespace

std::vector<Device> pick_devices(const Listing& listing,
                                 const std::vector<std::string>& selectors) {
  std::vector<Device> picked;
  for (const auto& selector : selectors) {
    const auto found = find_device(listing, selector);
    if (!found) {
      std::vector<std::string> known;
      for (const auto& device : listing.devices) known.push_back(device.index);
      throw environment_error("no device " + in_quotes(selector) +
                              "; there are: " + join(known, ", "));
    }
    picked.push_back(listing.devices[*found]);
  }
  return picked;
}

}  // namespace zl::backends
