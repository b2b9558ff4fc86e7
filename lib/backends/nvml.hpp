#pragma once
// NVML by dlopen: the few functions that are needed, by the C ABI that NVIDIA documents. No
// header and no link-time dependency. Inside the backends room only.
// Source: the NVML API reference (docs.nvidia.com/deploy/nvml-api).

#include <array>
#include <cstdint>
#include <memory>
#include <string>

namespace zl::backends {

/// Return codes that are told apart.
enum NvmlStatus : int {
  nvml_ok = 0,
  nvml_not_supported = 3,
  nvml_no_permission = 4,
  nvml_not_found = 6,
  nvml_driver_not_loaded = 9,
  nvml_gpu_is_lost = 15,
  nvml_reset_required = 16,
  nvml_version_mismatch = 18,
  nvml_function_not_found = 13,
};

using NvmlDevice = void*;

struct NvmlUtilization {
  unsigned gpu, memory;  ///< percent
};
struct NvmlMemory {
  unsigned long long total, free, used;  ///< bytes
};
/// nvmlPciInfo_t as of version 2 and 3.
struct NvmlPci {
  std::array<char, 16> legacy;
  unsigned domain, bus, device, device_id, subsystem_id;
  std::array<char, 32> bus_id;
};
/// nvmlFieldValue_t.
struct NvmlField {
  unsigned field, scope;
  long long timestamp_us, latency_us;
  int value_type;  ///< 0 double, 1 unsigned, 2 unsigned long, 3 unsigned long long, 4 long long
  int status;
  union {
    double number;
    unsigned u32;
    unsigned long ul;
    unsigned long long u64;
    long long i64;
  } value;
};

class Nvml {
 public:
  /// Loads libnvidia-ml.so.1 and initialises it. Throws Error(environment): not there, a symbol
  /// missing, no driver, versions that differ, no permission.
  Nvml();
  ~Nvml();
  Nvml(const Nvml&) = delete;
  Nvml& operator=(const Nvml&) = delete;

  /// What a status means; never empty.
  std::string meaning(int status) const;
  /// Throws Error(environment) "doing what: meaning" unless the status is ok.
  void require(int status, const std::string& doing) const;

  // Functions; those that a driver may lack answer nvml_function_not_found through `call`.
  int (*device_count)(unsigned*) = nullptr;
  int (*device_by_index)(unsigned, NvmlDevice*) = nullptr;
  int (*name)(NvmlDevice, char*, unsigned) = nullptr;
  int (*uuid)(NvmlDevice, char*, unsigned) = nullptr;
  int (*pci)(NvmlDevice, NvmlPci*) = nullptr;
  int (*memory)(NvmlDevice, NvmlMemory*) = nullptr;
  int (*clock)(NvmlDevice, int, unsigned*) = nullptr;        ///< 1 SM, 2 memory; MHz
  int (*temperature)(NvmlDevice, int, unsigned*) = nullptr;  ///< sensor 0; degrees Celsius
  int (*power)(NvmlDevice, unsigned*) = nullptr;             ///< milliwatts
  int (*utilization)(NvmlDevice, NvmlUtilization*) = nullptr;
  int (*reasons)(NvmlDevice, unsigned long long*) = nullptr;
  int (*fields)(NvmlDevice, int, NvmlField*) = nullptr;
  int (*mig_mode)(NvmlDevice, unsigned*, unsigned*) = nullptr;
  int (*mig_most)(NvmlDevice, unsigned*) = nullptr;
  int (*mig_by_index)(NvmlDevice, unsigned, NvmlDevice*) = nullptr;
  int (*driver_version)(char*, unsigned) = nullptr;

  /// The call, or nvml_function_not_found where this library has no such function.
  template <typename... Parameters, typename... Arguments>
  static int call(int (*function)(Parameters...), Arguments... arguments) {
    return function == nullptr ? static_cast<int>(nvml_function_not_found) : function(arguments...);
  }

 private:
  void load_functions();
  /// A symbol by the first of its names that is there; null where none is.
  void* symbol(std::initializer_list<const char*> names) const;

  std::unique_ptr<void, void (*)(void*)> library_;
  bool ready_ = false;
  int (*shutdown_)() = nullptr;
  const char* (*error_text_)(int) = nullptr;
};

}  // namespace zl::backends
