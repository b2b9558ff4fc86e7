// cuda: NVIDIA cards, through NVML where it loads, else through nvidia-smi.
#include "backends/cuda_nvml.hpp"
#include "backends/cuda_smi.hpp"
#include "backends/cuda_visibility.hpp"
#include "backends/quantity.hpp"
#include "backends/registry.hpp"
#include "backends/vendor_tool.hpp"
#include "base/error.hpp"
#include "base/text.hpp"

namespace zl::backends {

namespace {

/// By NVML, else by nvidia-smi, or by the one that `sampler` forces. When both fail, nvidia-smi's
/// reason is the better worded one.
template <typename ByNvml, typename BySmi>
auto by_either(const Surroundings& surroundings, ByNvml by_nvml, BySmi by_smi) {
  check_sampler_name(surroundings, {"nvml", "smi"});
  if (surroundings.sampler == "nvml") return by_nvml();
  if (surroundings.sampler == "smi") return by_smi();
  std::string why_not;
  try {
    return by_nvml();
  } catch (const Error& error) {
    why_not = error.what();
  }
  if (!is_installed(surroundings, "nvidia-smi"))
    throw environment_error(why_not + "; and nvidia-smi is not installed");
  return by_smi();
}

Listing list(const Surroundings& surroundings) {
  Listing listing;
  listing.devices = by_either(
      surroundings, [&] { return list_by_nvml(listing.warnings); },
      [&] { return list_by_smi(surroundings, listing.warnings); });
  apply_visibility(cuda_visibility(surroundings.environment, listing.devices), listing);
  return listing;
}

std::unique_ptr<Sampler> open_sampler(const Surroundings& surroundings,
                                      std::span<const Device> devices) {
  return by_either(
      surroundings, [&] { return make_nvml_sampler(devices); },
      [&] { return make_smi_sampler(surroundings, devices); });
}

/// Through the command, as that can be given up on; a driver that hangs in a library call cannot.
bool answers(const Surroundings& surroundings) {
  try {
    if (is_installed(surroundings, "nvidia-smi"))
      return !parse_smi_list(ask(surroundings, {"nvidia-smi", "-L"}).out).empty();
    std::vector<std::string> warnings;
    return !list_by_nvml(warnings).empty();
  } catch (const Error&) {
    return false;
  }
}

std::string driver_version(const Surroundings& surroundings) {
  try {
    if (surroundings.sampler != "smi")
      if (auto version = driver_by_nvml(); !version.empty()) return version;
    const auto outcome =
        ask(surroundings, {"nvidia-smi", "--query-gpu=driver_version", "--format=csv,noheader"});
    const auto line = first_line(outcome.out);
    return outcome.exit_code == 0 && line.find_first_not_of("0123456789.") == std::string::npos
               ? line
               : std::string();
  } catch (const Error&) {
    return {};
  }
}

/// By index in PCI order, which every program understands; a MIG part goes by UUID only.
process::Environment pin(const Device& device) {
  const bool part = device.index.find(':') != std::string::npos;
  return {{"CUDA_DEVICE_ORDER", "PCI_BUS_ID"},
          {"CUDA_VISIBLE_DEVICES", part ? device.uuid : device.index}};
}

/// Refusals as an H200 worded them with torch 2.11 (item, nonzero, synchronize and the legacy
/// stream inside a capture; a copy from the host; a new seed); the context lived on after each.
/// No attempt was seen to break it, so nothing here is poisoned. The fatal ones are the driver's
/// words for a kernel that failed, which a capture's own complaint may wrap.
std::vector<CaptureWording> capture_wordings() {
  using enum CaptureVerdict;
  return {{"operation failed due to a previous error during capture", refused},
          {"during CUDA graph capture", refused},
          {"The CUDA Graph is empty", refused},  // a warning: the call ran outside the capture
          {"CUDAGeneratorImpl::set_current_seed can be called during stream capture only", refused},
          {"an illegal memory access was encountered", fatal},
          {"device-side assert triggered", fatal},
          {"misaligned address", fatal},
          {"unspecified launch failure", fatal}};
}

}  // namespace

Backend make_cuda_backend() {
  Traits traits;
  traits.name = "cuda";
  traits.aliases = {"nvidia", "nv", "gpu"};
  traits.visibility_variables = {"CUDA_VISIBLE_DEVICES"};
  traits.sampler = "NVML, else nvidia-smi";
  traits.graph_capture = true;
  traits.graph_class = "CUDAGraph";
  traits.torch_device = "cuda";
  traits.flaggems_vendor = "nvidia";
  traits.switch_prefix = "FLAGTREE_CUDA_";
  traits.capture_wordings = capture_wordings();
  return {std::move(traits), list, cuda_visibility, open_sampler, answers, driver_version, pin};
}

}  // namespace zl::backends
