// rocm: AMD cards, through amd-smi, else rocm-smi.
#include <algorithm>

#include "backends/registry.hpp"
#include "backends/rocm_smi.hpp"
#include "backends/vendor_tool.hpp"
#include "backends/visibility.hpp"
#include "base/error.hpp"
#include "base/files.hpp"
#include "base/text.hpp"

namespace zl::backends {

namespace {

/// ROCR_VISIBLE_DEVICES takes ordinals and GPU-<uuid>, mixed.
Visibility by_runtime(std::string_view value, std::span<const Device> devices) {
  // Names become ordinals, and the rules of ordinals do the rest.
  std::string list;
  for (const auto entry : split(value, ',')) {
    std::string ordinal(trim(entry));
    if (lower(ordinal).starts_with("gpu-"))
      for (std::size_t i = 0; i < devices.size(); ++i)
        if (equal_ignoring_case(devices[i].uuid, trim(entry))) ordinal = std::to_string(i);
    list += (list.empty() ? "" : ",") + ordinal;
  }
  return ordinals("ROCR_VISIBLE_DEVICES", list, positions(devices.size()));
}

/// The two compose: ROCR hides cards and renumbers, then HIP counts what is left. HIP takes
/// CUDA_VISIBLE_DEVICES where its own variable is unset.
/// Source: ROCm documentation, "GPU isolation techniques".
Visibility visibility(const process::Environment& environment, std::span<const Device> devices) {
  auto result = all_devices(devices);
  if (const auto value = variable(environment, "ROCR_VISIBLE_DEVICES"))
    result = by_runtime(*value, devices);
  for (const char* name : {"HIP_VISIBLE_DEVICES", "CUDA_VISIBLE_DEVICES"}) {
    const auto value = variable(environment, name);
    if (!value) continue;
    auto inner = ordinals(name, *value, result.selected);
    inner.warnings.insert(inner.warnings.begin(), result.warnings.begin(), result.warnings.end());
    return inner;
  }
  return result;
}

Listing list(const Surroundings& surroundings) {
  Listing listing;
  listing.devices = list_rocm(surroundings);
  apply_visibility(visibility(surroundings.environment, listing.devices), listing);
  return listing;
}

std::unique_ptr<Sampler> open_sampler(const Surroundings& surroundings,
                                      std::span<const Device> devices) {
  if (!is_installed(surroundings, "amd-smi") && !is_installed(surroundings, "rocm-smi"))
    throw environment_error("rocm: neither amd-smi nor rocm-smi is installed");
  return make_rocm_sampler(surroundings, devices);
}

/// The kernel module's own word, which no tool needs to be asked for.
std::string driver_version(const Surroundings& surroundings) {
  return std::string(
      trim(try_read_file(surroundings.root / "sys/module/amdgpu/version").value_or("")));
}

/// Both variables, so that whatever ROCR_VISIBLE_DEVICES says outside, this card alone is left.
process::Environment pin(const Device& device) {
  return {{"ROCR_VISIBLE_DEVICES", device.index}, {"HIP_VISIBLE_DEVICES", "0"}};
}

}  // namespace

Backend make_rocm_backend() {
  Traits traits;
  traits.name = "rocm";
  traits.aliases = {"amd", "hip"};
  traits.visibility_variables = {"HIP_VISIBLE_DEVICES", "ROCR_VISIBLE_DEVICES"};
  traits.sampler = "amd-smi --json, else rocm-smi --json";
  traits.torch_device = "cuda";
  traits.flaggems_vendor = "amd";
  return {std::move(traits), list, visibility, open_sampler, rocm_answers, driver_version, pin};
}

}  // namespace zl::backends
