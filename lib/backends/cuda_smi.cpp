#include "backends/cuda_smi.hpp"

#include <algorithm>
#include <set>

#include "backends/cuda_smi_sampler.hpp"
#include "backends/quantity.hpp"
#include "backends/vendor_tool.hpp"
#include "base/error.hpp"
#include "base/number.hpp"
#include "base/text.hpp"

namespace zl::backends {

namespace {

/// Fields of one row by column name.
class Fields {
 public:
  Fields(const SmiTable& table, const std::vector<std::string>& row) : table_(table), row_(row) {}
  std::string_view operator[](std::string_view name) const {
    const auto found = std::find(table_.columns.begin(), table_.columns.end(), name);
    if (found == table_.columns.end()) return {};
    return row_[static_cast<std::size_t>(found - table_.columns.begin())];
  }

 private:
  const SmiTable& table_;
  const std::vector<std::string>& row_;
};

void add_memory_and_bus(Device& device, const Fields& fields) {
  device.pci_bus_id = pci_address(fields["pci.bus_id"]);
  device.memory_mib = quantity(fields["memory.total"], Unit::memory);
}

Device device_of(const Fields& fields) {
  Device device;
  device.backend = "cuda";
  device.index = fields["index"];
  device.uuid = known_text(fields["uuid"]);
  device.name = known_text(fields["name"]);
  add_memory_and_bus(device, fields);
  return device;
}

/// `clocks_event_reasons.active` is printed as 0x0000000000000004.
std::optional<unsigned long long> parse_mask(std::string_view text) {
  text = trim(text);
  if (!text.starts_with("0x") || text.size() < 3 || text.size() > 18) return std::nullopt;
  unsigned long long mask = 0;
  for (const char c : lower(text.substr(2))) {
    const auto digit = std::string_view("0123456789abcdef").find(c);
    if (digit == std::string_view::npos) return std::nullopt;
    mask = mask << 4U | digit;
  }
  return mask;
}

std::vector<Device> without_repeated(std::vector<Device> listed,
                                     std::vector<std::string>& warnings) {
  std::vector<Device> devices;
  std::set<std::string> seen;
  for (auto& device : listed) {
    if (seen.insert(device.index).second)
      devices.push_back(std::move(device));
    else
      warnings.push_back("nvidia-smi: index " + device.index + " is there twice");
  }
  return devices;
}

constexpr std::string_view counter_prefix = "clocks_event_reasons_counters.";

/// Microseconds, printed as "0 us".
std::map<std::string, double> counters_of(const SmiTable& table, const Fields& fields) {
  std::map<std::string, double> counters;
  for (const auto& column : table.columns) {
    if (!column.starts_with(counter_prefix)) continue;
    auto value = trim(fields[column]);
    if (value.ends_with("us")) value = trim(value.substr(0, value.size() - 2));
    if (const auto number = parse_double(value))
      counters[column.substr(counter_prefix.size())] = *number;
  }
  return counters;
}

}  // namespace

std::vector<Device> list_by_smi(const Surroundings& surroundings,
                                std::vector<std::string>& warnings) {
  // The name stands last: it is the only free text.
  const auto query =
      ask(surroundings,
          {"nvidia-smi", "--query-gpu=index,uuid,pci.bus_id,memory.total,name", "--format=csv"});
  const auto table = parse_smi_csv(query.out);
  auto devices =
      without_repeated(parse_smi_list(ask(surroundings, {"nvidia-smi", "-L"}).out), warnings);
  if (table.rows.empty()) {
    if (devices.empty()) throw environment_error(smi_failure(query));
    warnings.push_back(smi_failure(query));
    return devices;
  }
  for (const auto& row : table.rows) {
    const Fields fields(table, row);
    const auto same = std::find_if(devices.begin(), devices.end(), [&](const Device& device) {
      return device.index == fields["index"];
    });
    if (same != devices.end())
      add_memory_and_bus(*same, fields);
    else
      devices.push_back(device_of(fields));
  }
  for (const auto& line : table.diagnostics) warnings.push_back("nvidia-smi: " + line);
  return devices;
}

SmiReading::SmiReading(std::span<const Device> devices) {
  for (const auto& device : devices) wanted_.push_back({device.index, device.uuid});
}

SampleSet SmiReading::samples(const SmiTable& table) {
  SampleSet set;
  std::map<std::string, Sample> by_index;
  std::vector<std::string> order;
  for (const auto& row : table.rows) {
    const Fields fields(table, row);
    Sample sample;
    sample.index = fields["index"];
    if (by_index.count(sample.index) != 0) {
      set.warnings.push_back("nvidia-smi: index " + sample.index + " is there twice");
      continue;
    }
    sample.sm_clock_mhz = quantity(fields["clocks.current.sm"], Unit::clock);
    sample.mem_clock_mhz = quantity(fields["clocks.current.memory"], Unit::clock);
    sample.temp_c = quantity(fields["temperature.gpu"], Unit::temperature);
    sample.power_w = quantity(fields["power.draw"], Unit::power);
    sample.util_pct = quantity(fields["utilization.gpu"], Unit::share);
    if (const auto mask = parse_mask(fields["clocks_event_reasons.active"])) {
      sample.throttle = throttle_names(*mask);
      counters_[sample.index].add(counters_of(table, fields), *sample.throttle);
    }
    order.push_back(sample.index);
    by_index.emplace(sample.index, std::move(sample));
  }
  for (const auto& line : table.diagnostics) set.warnings.push_back("nvidia-smi: " + line);
  for (const auto& wanted : wanted_) {
    const auto card = wanted.index.substr(0, wanted.index.find(':'));
    const auto found = by_index.find(card);
    if (found == by_index.end()) {
      set.warnings.push_back("nvidia-smi: no row of device " + wanted.index);
      continue;
    }
    auto sample = found->second;
    if (wanted.index != card) {
      sample = {};
      set.warnings.push_back(no_sensors(wanted.index));
    }
    sample.index = wanted.index;
    set.samples.push_back(std::move(sample));
  }
  if (wanted_.empty())
    for (const auto& index : order) set.samples.push_back(std::move(by_index.at(index)));
  return set;
}

}  // namespace zl::backends
