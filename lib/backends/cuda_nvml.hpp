#pragma once
// Cards through NVML: listing, MIG parts included, and readings of 0.1 ms. Inside the backends
// room only.

#include <memory>
#include <string>
#include <vector>

#include "backends/backend.hpp"

namespace zl::backends {

/// Throws Error(environment) where NVML does not load or start. A card that is lost is a warning.
std::vector<Device> list_by_nvml(std::vector<std::string>& warnings);

/// "" where NVML does not tell.
std::string driver_by_nvml();

/// Handles are kept. Throws Error(environment). Empty `devices`: all cards.
std::unique_ptr<Sampler> make_nvml_sampler(std::span<const Device> devices);

}  // namespace zl::backends
