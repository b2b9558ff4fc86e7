#include "backends/cuda_nvml.hpp"

#include <chrono>
#include <map>
#include <optional>

#include "backends/cuda_smi.hpp"
#include "backends/nvml.hpp"
#include "backends/quantity.hpp"
#include "base/error.hpp"
#include "base/number.hpp"
#include "base/text.hpp"

namespace zl::backends {

namespace {

template <std::size_t N>
std::string text_of(int status, std::array<char, N>& buffer) {
  buffer.back() = '\0';
  return status == nvml_ok ? std::string(buffer.data()) : std::string();
}

std::string read_text(int (*function)(NvmlDevice, char*, unsigned), NvmlDevice handle) {
  std::array<char, 96> buffer{};
  const int status = Nvml::call(function, handle, buffer.data(), static_cast<unsigned>(96));
  return text_of(status, buffer);
}

Device describe(const Nvml& nvml, NvmlDevice handle, std::string index) {
  Device device;
  device.backend = "cuda";
  device.index = std::move(index);
  device.uuid = read_text(nvml.uuid, handle);
  device.name = read_text(nvml.name, handle);
  NvmlPci pci{};
  if (Nvml::call(nvml.pci, handle, &pci) == nvml_ok) {
    pci.bus_id.back() = '\0';
    device.pci_bus_id = pci_address(pci.bus_id.data());
  }
  NvmlMemory memory{};
  if (Nvml::call(nvml.memory, handle, &memory) == nvml_ok && memory.total > 0)
    device.memory_mib = static_cast<double>(memory.total >> 20U);
  return device;
}

void add_parts(const Nvml& nvml, NvmlDevice card, const Device& parent,
               std::vector<Device>& devices) {
  unsigned mode = 0, pending = 0, most = 0;
  if (Nvml::call(nvml.mig_mode, card, &mode, &pending) != nvml_ok || mode == 0) return;
  if (Nvml::call(nvml.mig_most, card, &most) != nvml_ok) return;
  for (unsigned i = 0; i < most; ++i) {
    NvmlDevice handle = nullptr;
    if (Nvml::call(nvml.mig_by_index, card, i, &handle) != nvml_ok) continue;
    auto device = describe(nvml, handle, parent.index + ":" + std::to_string(i));
    device.pci_bus_id = parent.pci_bus_id;
    devices.push_back(std::move(device));
  }
}

unsigned count_cards(const Nvml& nvml) {
  unsigned count = 0;
  nvml.require(nvml.device_count(&count), "counting cards");
  return count;
}

std::optional<double> read_number(int status, unsigned value, double factor = 1) {
  return status == nvml_ok ? std::optional(value * factor) : std::nullopt;
}

/// Reading the counters costs 1 to 2 ms of processor time on an H200, all the other readings of a
/// tick together some 0.1 ms. They add up between readings: none is missed by reading them less
/// often, it is noted up to this much later.
constexpr std::chrono::milliseconds counters_every{450};

class NvmlSampler : public Sampler {
 public:
  explicit NvmlSampler(std::span<const Device> devices) {
    if (devices.empty()) {
      const auto count = count_cards(nvml_);
      for (unsigned i = 0; i < count; ++i) add(std::to_string(i));
      if (cards_.empty()) throw environment_error("cuda: no devices were found");
    }
    for (const auto& device : devices) add(device.index);
  }

  SampleSet read() override {
    SampleSet set;
    for (auto& card : cards_) {
      Sample sample;
      sample.index = card.index;
      const int status = card.part ? static_cast<int>(nvml_ok) : read_card(card, sample);
      if (card.part) set.warnings.push_back(no_sensors(card.index));
      if (status == nvml_gpu_is_lost || status == nvml_reset_required)
        set.warnings.push_back("cuda: device " + card.index + ": " + nvml_.meaning(status));
      set.samples.push_back(std::move(sample));
    }
    return set;
  }
  std::string name() const override { return "nvml"; }

 private:
  using Clock = std::chrono::steady_clock;

  struct Card {
    std::string index;
    NvmlDevice handle = nullptr;
    bool part = false;  ///< a MIG part has no sensors of its own
    ThrottleCounters counters;
    std::optional<Clock::time_point> counted;
  };

  void add(std::string index) {
    Card card;
    card.part = index.find(':') != std::string::npos;
    const auto number = parse_unsigned(std::string_view(index).substr(0, index.find(':')));
    if (!number) throw environment_error("cuda: no device " + in_quotes(index));
    // A card that is lost from the start stays in the list: its rows are empty, not renumbered.
    const int status = nvml_.device_by_index(static_cast<unsigned>(*number), &card.handle);
    if (status != nvml_ok && status != nvml_gpu_is_lost) nvml_.require(status, "device " + index);
    if (status == nvml_gpu_is_lost) card.handle = nullptr;
    card.index = std::move(index);
    cards_.push_back(std::move(card));
  }

  /// Fills the sample; returns the worst status that says the card itself is gone.
  int read_card(Card& card, Sample& sample) const {
    if (card.handle == nullptr) return nvml_gpu_is_lost;
    unsigned value = 0;
    int gone = nvml_ok;
    const auto number = [&](int status, double factor = 1) {
      if (status == nvml_gpu_is_lost || status == nvml_reset_required) gone = status;
      return read_number(status, value, factor);
    };
    sample.sm_clock_mhz = number(Nvml::call(nvml_.clock, card.handle, 1, &value));
    sample.mem_clock_mhz = number(Nvml::call(nvml_.clock, card.handle, 2, &value));
    sample.temp_c = number(Nvml::call(nvml_.temperature, card.handle, 0, &value));
    sample.power_w = number(Nvml::call(nvml_.power, card.handle, &value), 1e-3);
    NvmlUtilization use{};
    const int status = Nvml::call(nvml_.utilization, card.handle, &use);
    value = use.gpu;
    sample.util_pct = number(status);
    unsigned long long mask = 0;
    if (Nvml::call(nvml_.reasons, card.handle, &mask) == nvml_ok) {
      sample.throttle = throttle_names(mask);
      add_counters(card, *sample.throttle);
    }
    return gone;
  }

  void add_counters(Card& card, std::vector<std::string>& reasons) const {
    const auto now = Clock::now();
    if (card.counted && now - *card.counted < counters_every) return;
    card.counted = now;
    card.counters.add(read_counters(card.handle), reasons);
  }

  /// Nanoseconds a reason held the clocks. Field ids of the slowdown reasons differ between driver
  /// branches (251 to 253 until early R580, 269 to 271 since), so that only those which never
  /// moved are read: 74 power, 75 thermal, 76 sync boost.
  std::map<std::string, double> read_counters(NvmlDevice handle) const {
    static constexpr std::array<std::pair<unsigned, const char*>, 3> known = {
        {{74, "sw_power_cap"}, {75, "sw_thermal_slowdown"}, {76, "sync_boost"}}};
    std::array<NvmlField, known.size()> fields{};
    for (std::size_t i = 0; i < known.size(); ++i) fields[i].field = known[i].first;
    std::map<std::string, double> counters;
    if (Nvml::call(nvml_.fields, handle, static_cast<int>(known.size()), fields.data()) != nvml_ok)
      return counters;
    constexpr int unsigned_long_long = 3;
    for (std::size_t i = 0; i < known.size(); ++i)
      if (fields[i].status == nvml_ok && fields[i].value_type == unsigned_long_long)
        counters[known[i].second] = static_cast<double>(fields[i].value.u64);
    return counters;
  }

  Nvml nvml_;
  std::vector<Card> cards_;
};

}  // namespace

std::vector<Device> list_by_nvml(std::vector<std::string>& warnings) {
  const Nvml nvml;
  std::vector<Device> devices;
  const unsigned count = count_cards(nvml);
  for (unsigned i = 0; i < count; ++i) {
    NvmlDevice handle = nullptr;
    const int status = nvml.device_by_index(i, &handle);
    if (status != nvml_ok) {
      warnings.push_back("cuda: device " + std::to_string(i) + ": " + nvml.meaning(status));
      continue;
    }
    const auto device = describe(nvml, handle, std::to_string(i));
    devices.push_back(device);
    add_parts(nvml, handle, device, devices);
  }
  if (devices.empty() && warnings.empty()) throw environment_error("cuda: no devices were found");
  return devices;
}

std::string driver_by_nvml() {
  try {
    const Nvml nvml;
    std::array<char, 96> buffer{};
    return text_of(Nvml::call(nvml.driver_version, buffer.data(), 96U), buffer);
  } catch (const Error&) {
    return {};
  }
}

std::unique_ptr<Sampler> make_nvml_sampler(std::span<const Device> devices) {
  return std::make_unique<NvmlSampler>(devices);
}

}  // namespace zl::backends
