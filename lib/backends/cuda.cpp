#include "backends/registry.hpp"
#include "base/error.hpp"

namespace zl::backends {

namespace {

Listing list(const Surroundings&) { throw environment_error("cuda: not written yet"); }
Visibility visibility(const process::Environment&, std::span<const Device>) { return {}; }
std::unique_ptr<Sampler> open_sampler(const Surroundings&, std::span<const Device>) {
  throw environment_error("cuda: not written yet");
}
bool answers(const Surroundings&) { return false; }
std::string driver_version(const Surroundings&) { return {}; }
process::Environment pin(const Device& device) { return {{"CUDA_VISIBLE_DEVICES", device.index}}; }

}  // namespace

Backend make_cuda_backend() {
  Traits traits;
  traits.name = "cuda";
  traits.aliases = {"nvidia", "nv", "gpu"};
  traits.visibility_variables = {"CUDA_VISIBLE_DEVICES"};
  return {std::move(traits), list, visibility, open_sampler, answers, driver_version, pin};
}

}  // namespace zl::backends
