#pragma once
// The rules of CUDA_VISIBLE_DEVICES. Source: CUDA C++ programming guide, environment variables;
// MIG user guide, device enumeration; cases that PyTorch's tests checked against driver 525.60.

#include <span>

#include "backends/backend.hpp"

namespace zl::backends {

/// Ordinals count the cards in PCI order; where cards differ and CUDA_DEVICE_ORDER does not say
/// PCI_BUS_ID, CUDA's own order (fastest first) is not ours and the result is undecided.
Visibility cuda_visibility(const process::Environment& environment,
                           std::span<const Device> devices);

}  // namespace zl::backends
