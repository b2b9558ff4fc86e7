// A small libnvidia-ml.so.1 for tests. What it answers stands in the environment:
//   STUB_INIT      status of nvmlInit (0)
//   STUB_CARDS     number of cards (2)
//   STUB_LOST      index of a card that is lost (none)
//   STUB_STATUS    status of every sensor (0)
//   STUB_MASK      clock event reasons (0)
//   STUB_CAPPED_NS counter of the power cap (0)
//   STUB_MIG       number of parts of card 0 (0: MIG off)
// Compiled with STUB_OLD it has the names of before `_v2` only, and no counters.
#include <algorithm>
#include <cstdlib>
#include <cstring>

#include "backends/nvml.hpp"

using namespace zl::backends;

namespace {

long setting(const char* name, long otherwise) {
  const char* text = std::getenv(name);
  return text == nullptr ? otherwise : std::atol(text);
}

/// Handles are 1 + index of the card, or 100 + index of the part.
NvmlDevice handle_of(long card) {
  // NOLINTNEXTLINE(performance-no-int-to-ptr): a handle here is a number, never followed
  return reinterpret_cast<NvmlDevice>(card + 1);
}

long card_of(NvmlDevice device) {
  return reinterpret_cast<long>(device) - 1;
}

int sensor(NvmlDevice device) {
  if (card_of(device) == setting("STUB_LOST", -1)) return nvml_gpu_is_lost;
  return static_cast<int>(setting("STUB_STATUS", 0));
}

int put(const char* text, char* out, unsigned size) {
  std::strncpy(out, text, size);
  return nvml_ok;
}

}  // namespace

extern "C" {

#ifdef STUB_OLD
#define VERSIONED(name) name
#else
#define VERSIONED(name) name##_v2
#endif

int VERSIONED(nvmlInit)() {
  return static_cast<int>(setting("STUB_INIT", 0));
}
int nvmlShutdown() {
  return nvml_ok;
}
const char* nvmlErrorString(int status) {
  return status == 999 ? "Unknown Error" : "odd";
}
int nvmlSystemGetDriverVersion(char* out, unsigned size) {
  return put("580.00", out, size);
}
int VERSIONED(nvmlDeviceGetCount)(unsigned* count) {
  *count = static_cast<unsigned>(setting("STUB_CARDS", 2));
  return nvml_ok;
}
int VERSIONED(nvmlDeviceGetHandleByIndex)(unsigned index, NvmlDevice* device) {
  if (index >= static_cast<unsigned>(setting("STUB_CARDS", 2))) return 2;
  *device = handle_of(static_cast<long>(index));
  return setting("STUB_LOST_AT_START", -1) == static_cast<long>(index)
             ? static_cast<int>(nvml_gpu_is_lost)
             : static_cast<int>(nvml_ok);
}
int nvmlDeviceGetName(NvmlDevice device, char* out, unsigned size) {
  return put(card_of(device) < 99 ? "Stub H1" : "Stub H1 MIG 1g.5gb", out, size);
}
int nvmlDeviceGetUUID(NvmlDevice device, char* out, unsigned size) {
  char text[] = "GPU-0000000?";
  if (card_of(device) >= 99) std::copy_n("MIG", 3, text);
  text[11] = static_cast<char>('0' + card_of(device) % 10);
  return put(text, out, size);
}
int nvmlDeviceGetPciInfo_v2(NvmlDevice device, NvmlPci* pci) {
  std::strcpy(pci->bus_id.data(), "00000000:3B:00.0");
  pci->bus_id[9] = static_cast<char>('0' + card_of(device));
  return nvml_ok;
}
int nvmlDeviceGetMemoryInfo(NvmlDevice, NvmlMemory* memory) {
  memory->total = 80ULL << 30U;
  return nvml_ok;
}
int nvmlDeviceGetClockInfo(NvmlDevice device, int type, unsigned* mhz) {
  *mhz = type == 1 ? 1980 : 3201;
  return sensor(device);
}
int nvmlDeviceGetTemperature(NvmlDevice device, int, unsigned* degrees) {
  *degrees = 52;
  return sensor(device);
}
int nvmlDeviceGetPowerUsage(NvmlDevice device, unsigned* milliwatts) {
  *milliwatts = 627400;
  return sensor(device);
}
int nvmlDeviceGetUtilizationRates(NvmlDevice device, NvmlUtilization* use) {
  use->gpu = 100;
  return sensor(device);
}

#ifdef STUB_OLD
int nvmlDeviceGetCurrentClocksThrottleReasons(NvmlDevice device, unsigned long long* mask) {
  *mask = static_cast<unsigned long long>(setting("STUB_MASK", 0));
  return sensor(device);
}
#else
int nvmlDeviceGetCurrentClocksEventReasons(NvmlDevice device, unsigned long long* mask) {
  *mask = static_cast<unsigned long long>(setting("STUB_MASK", 0));
  return sensor(device);
}
int nvmlDeviceGetFieldValues(NvmlDevice, int count, NvmlField* fields) {
  for (int i = 0; i < count; ++i) {
    fields[i].value_type = 3;
    fields[i].status = fields[i].field == 76 ? static_cast<int>(nvml_not_supported) : 0;
    fields[i].value.u64 = 0;
    if (fields[i].field == 74)
      fields[i].value.u64 = static_cast<unsigned long long>(setting("STUB_CAPPED_NS", 0));
  }
  return nvml_ok;
}
int nvmlDeviceGetMigMode(NvmlDevice device, unsigned* mode, unsigned* pending) {
  *mode = *pending = card_of(device) == 0 && setting("STUB_MIG", 0) > 0 ? 1 : 0;
  return nvml_ok;
}
int nvmlDeviceGetMaxMigDeviceCount(NvmlDevice, unsigned* count) {
  *count = 7;
  return nvml_ok;
}
int nvmlDeviceGetMigDeviceHandleByIndex(NvmlDevice, unsigned index, NvmlDevice* part) {
  if (index >= static_cast<unsigned>(setting("STUB_MIG", 0))) return nvml_not_found;
  *part = handle_of(static_cast<long>(index) + 99);
  return nvml_ok;
}
#endif
}
