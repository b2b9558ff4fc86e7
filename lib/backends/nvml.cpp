#include "backends/nvml.hpp"

#include <dlfcn.h>

#include "base/error.hpp"
#include "base/text.hpp"

namespace zl::backends {

namespace {

// With its suffix: the bare name is the toolkit's library for linking, which has no driver behind
// it.
constexpr const char* library_name = "libnvidia-ml.so.1";

void close_library(void* library) {
  if (library != nullptr) ::dlclose(library);
}

}  // namespace

void* Nvml::symbol(std::initializer_list<const char*> names) const {
  for (const char* candidate : names)
    if (void* found = ::dlsym(library_.get(), candidate)) return found;
  return nullptr;
}

void Nvml::load_functions() {
  const auto load = [&](auto& function, std::initializer_list<const char*> names) {
    function = reinterpret_cast<std::decay_t<decltype(function)>>(symbol(names));
  };
  load(shutdown_, {"nvmlShutdown"});
  load(error_text_, {"nvmlErrorString"});
  load(device_count, {"nvmlDeviceGetCount_v2", "nvmlDeviceGetCount"});
  load(device_by_index, {"nvmlDeviceGetHandleByIndex_v2", "nvmlDeviceGetHandleByIndex"});
  load(name, {"nvmlDeviceGetName"});
  load(uuid, {"nvmlDeviceGetUUID"});
  load(pci, {"nvmlDeviceGetPciInfo_v3", "nvmlDeviceGetPciInfo_v2"});
  load(memory, {"nvmlDeviceGetMemoryInfo"});
  load(clock, {"nvmlDeviceGetClockInfo"});
  load(temperature, {"nvmlDeviceGetTemperature"});
  load(power, {"nvmlDeviceGetPowerUsage"});
  load(utilization, {"nvmlDeviceGetUtilizationRates"});
  load(reasons,
       {"nvmlDeviceGetCurrentClocksEventReasons", "nvmlDeviceGetCurrentClocksThrottleReasons"});
  load(fields, {"nvmlDeviceGetFieldValues"});
  load(mig_mode, {"nvmlDeviceGetMigMode"});
  load(mig_most, {"nvmlDeviceGetMaxMigDeviceCount"});
  load(mig_by_index, {"nvmlDeviceGetMigDeviceHandleByIndex"});
  load(driver_version, {"nvmlSystemGetDriverVersion"});
}

Nvml::Nvml() : library_(::dlopen(library_name, RTLD_NOW | RTLD_LOCAL), close_library) {
  if (!library_) throw environment_error("cuda: NVML does not load: " + printable(::dlerror()));
  load_functions();
  int (*init)() = reinterpret_cast<int (*)()>(symbol({"nvmlInit_v2", "nvmlInit"}));
  if (init == nullptr || shutdown_ == nullptr || device_count == nullptr ||
      device_by_index == nullptr)
    throw environment_error(std::string("cuda: ") + library_name + " lacks NVML's functions");
  const int status = init();
  if (status != nvml_ok) throw environment_error("cuda: NVML: " + meaning(status));
  ready_ = true;
}

Nvml::~Nvml() {
  if (ready_) shutdown_();
}

std::string Nvml::meaning(int status) const {
  switch (status) {
    case nvml_no_permission:
      return "no permission to ask the driver";
    case nvml_not_found:
      return "no such device";
    case nvml_driver_not_loaded:
      return "no driver: the NVIDIA driver is not loaded";
    case nvml_gpu_is_lost:
      return "the card is lost (fell off the bus)";
    case nvml_reset_required:
      return "the card requires a reset";
    case nvml_version_mismatch:
      return "the driver and its library are of different versions";
    default:
      break;
  }
  const char* text = error_text_ == nullptr ? nullptr : error_text_(status);
  return (text == nullptr ? std::string("failed") : printable(text)) + " (NVML status " +
         std::to_string(status) + ")";
}

void Nvml::require(int status, const std::string& doing) const {
  if (status != nvml_ok) throw environment_error("cuda: " + doing + ": " + meaning(status));
}

}  // namespace zl::backends
