#include "backends/registry.hpp"
#include "base/error.hpp"

namespace zl::backends {

namespace {

Listing list(const Surroundings&) { throw environment_error("rocm: not written yet"); }
Visibility visibility(const process::Environment&, std::span<const Device>) { return {}; }
std::unique_ptr<Sampler> open_sampler(const Surroundings&, std::span<const Device>) {
  throw environment_error("rocm: not written yet");
}
bool answers(const Surroundings&) { return false; }
std::string driver_version(const Surroundings&) { return {}; }
process::Environment pin(const Device& device) { return {{"HIP_VISIBLE_DEVICES", device.index}}; }

}  // namespace

Backend make_rocm_backend() {
  Traits traits;
  traits.name = "rocm";
  traits.aliases = {"amd", "hip"};
  traits.visibility_variables = {"HIP_VISIBLE_DEVICES"};
  return {std::move(traits), list, visibility, open_sampler, answers, driver_version, pin};
}

}  // namespace zl::backends
