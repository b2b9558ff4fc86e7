#pragma once
// AMD's two commands as one report of cards. Inside the backends room only.

#include <optional>
#include <string>
#include <vector>

#include "backends/backend.hpp"

namespace zl::backends {

/// Lists by amd-smi, or by rocm-smi where that is not there or gives nothing. Throws
/// Error(environment) with both reasons.
std::vector<Device> list_rocm(const Surroundings& surroundings);

/// Whether one of them lists a card.
bool rocm_answers(const Surroundings& surroundings);

/// A sampler through the same. Empty `devices`: all cards.
std::unique_ptr<Sampler> make_rocm_sampler(const Surroundings& surroundings,
                                           std::span<const Device> devices);

}  // namespace zl::backends
