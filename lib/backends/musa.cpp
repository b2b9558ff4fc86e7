#include "backends/registry.hpp"
#include "base/error.hpp"

namespace zl::backends {

namespace {

Listing list(const Surroundings&) { throw environment_error("musa: not written yet"); }
Visibility visibility(const process::Environment&, std::span<const Device>) { return {}; }
std::unique_ptr<Sampler> open_sampler(const Surroundings&, std::span<const Device>) {
  throw environment_error("musa: not written yet");
}
bool answers(const Surroundings&) { return false; }
std::string driver_version(const Surroundings&) { return {}; }
process::Environment pin(const Device& device) { return {{"MUSA_VISIBLE_DEVICES", device.index}}; }

}  // namespace

Backend make_musa_backend() {
  Traits traits;
  traits.name = "musa";
  traits.aliases = {"mthreads", "mt", "moore"};
  traits.visibility_variables = {"MUSA_VISIBLE_DEVICES"};
  return {std::move(traits), list, visibility, open_sampler, answers, driver_version, pin};
}

}  // namespace zl::backends
