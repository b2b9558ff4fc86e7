#pragma once
// devices.tsv, and the table of backends.

#include <string>
#include <vector>

#include "backends/backend.hpp"
#include "formats/rows.hpp"

namespace zl::backends {

/// backend index uuid name pci_bus_id memory_mib visible; `visible` is yes, no, or empty where
/// the vendor's rule cannot be decided.
const std::vector<formats::Column>& device_columns();
std::vector<std::string> device_fields(const Device& device);

/// One row a backend, from the registry itself.
const std::vector<formats::Column>& registry_columns();
std::vector<std::string> registry_fields(const Traits& traits);

}  // namespace zl::backends
