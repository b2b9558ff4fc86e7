// A vendor's backend whose tool prints any bytes (in parts, one a call, parted by a zero byte):
// devices and samples that can stand in a row, or an error of the surroundings.

#include <algorithm>
#include <cmath>
#include <set>
#include <vector>

#include "backends/registry.hpp"
#include "base/text.hpp"
#include "fuzz.hpp"

using namespace zl;
using namespace zl::backends;
using fuzz::require;

namespace {

Surroundings answering(const std::vector<std::string_view>& parts) {
  Surroundings surroundings;
  surroundings.sampler = ZL_FUZZ_SAMPLER;
  surroundings.run_tool = [&parts, call = std::size_t{0}](const std::vector<std::string>&) mutable {
    process::Outcome outcome;
    outcome.out = parts[call++ % parts.size()];
    return outcome;
  };
  return surroundings;
}

void check(const SampleSet& set) {
  std::set<std::string> seen;
  for (const auto& sample : set.samples) {
    require(!sample.index.empty(), "a sample has an index");
    require(seen.insert(sample.index).second, "a device is sampled once");
    for (const auto& value :
         {sample.sm_clock_mhz, sample.mem_clock_mhz, sample.power_w, sample.util_pct})
      require(!value || (std::isfinite(*value) && *value >= 0), "a reading is a number");
    require(!sample.temp_c || std::isfinite(*sample.temp_c), "a temperature is a number");
  }
}

void check(const Listing& listing) {
  std::set<std::string> seen;
  for (const auto& device : listing.devices) {
    require(!device.index.empty(), "a device has an index");
    require(seen.insert(device.index).second, "a device is listed once");
    require(!device.memory_mib || (std::isfinite(*device.memory_mib) && *device.memory_mib >= 0),
            "a size is a number");
  }
  for (const auto selected : listing.selected)
    require(selected < listing.devices.size(), "what is selected is listed");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const auto& backend = find_backend(ZL_FUZZ_BACKEND, {});
  const auto parts = split(fuzz::text_of(data, size), '\0');
  std::vector<Device> devices;
  fuzz::errors_only_of(ErrorKind::environment, [&] {
    const auto listing = backend.list(answering(parts));
    check(listing);
    devices = listing.devices;
  });
  fuzz::errors_only_of(ErrorKind::environment, [&] {
    const auto sampler = backend.open_sampler(answering(parts), {});
    for (int reading = 0; reading < 2; ++reading) check(sampler->read());
  });
  fuzz::errors_only_of(ErrorKind::environment, [&] {
    std::reverse(devices.begin(), devices.end());
    check(backend.open_sampler(answering(parts), devices)->read());
  });
  fuzz::without_error([&] {
    (void)backend.answers(answering(parts));
    (void)backend.driver_version(answering(parts));
  });
  return 0;
}
