#pragma once
// All backends, by name and alias. Adding a vendor is one line in registry.cpp.

#include <string>
#include <vector>

#include "backends/backend.hpp"

namespace zl::backends {

/// All backends in the order in which `auto` asks them; host is last.
const std::vector<Backend>& registry();

/// By name or alias, case-insensitive; `auto` takes the first that answers. Throws Error(usage)
/// listing the known names.
const Backend& find_backend(const std::string& name, const Surroundings& surroundings);

/// Devices picked by a list of indices, UUIDs (or unique prefixes of UUIDs) or PCI bus ids, in
/// that order. Throws Error(environment) naming what is not there.
std::vector<Device> pick_devices(const Listing& listing, const std::vector<std::string>& selectors);

/// One maker a vendor, defined in its own file.
Backend make_cuda_backend();
Backend make_musa_backend();
Backend make_rocm_backend();
Backend make_ascend_backend();
Backend make_host_backend();

}  // namespace zl::backends
