#include <algorithm>
#include <array>

#include "backends/cuda_smi.hpp"
#include "backends/quantity.hpp"
#include "backends/vendor_tool.hpp"
#include "base/number.hpp"
#include "base/text.hpp"

namespace zl::backends {

namespace {

/// The name without its unit, in the spelling of today's headers.
std::string canonical(std::string_view name) {
  const auto bracket = name.find('[');
  auto plain = lower(trim(name.substr(0, bracket)));
  static const std::map<std::string, std::string> aliases = {
      {"gpu_uuid", "uuid"},
      {"gpu_name", "name"},
      {"gpu_bus_id", "pci.bus_id"},
      {"gpu.power.draw", "power.draw"},  // Iluvatar's ixsmi
      {"clocks.sm", "clocks.current.sm"},
      {"clocks.mem", "clocks.current.memory"},
      {"clocks.current.mem", "clocks.current.memory"}};
  if (const auto found = aliases.find(plain); found != aliases.end()) return found->second;
  constexpr std::string_view old = "clocks_throttle_reasons";
  if (plain.starts_with(old)) return "clocks_event_reasons" + plain.substr(old.size());
  return plain;
}

std::vector<std::string> csv_fields(std::string_view line) {
  std::vector<std::string> fields;
  for (const auto field : split(line, ',')) fields.emplace_back(trim(field));
  return fields;
}

const std::vector<std::string>& measured() {
  static const std::vector<std::string> names = {"clocks.current.sm", "clocks.current.memory",
                                                 "temperature.gpu", "power.draw",
                                                 "utilization.gpu"};
  return names;
}

/// Columns of a first row that came without a header; none where it has not the usual shape.
std::vector<std::string> guess_columns(const std::vector<std::string>& fields) {
  std::vector<std::string> columns = {"index"};
  std::size_t at = 1;
  if (at < fields.size() && lower(fields[at]).starts_with("gpu-")) {
    columns.insert(columns.end(), {"uuid", "name"});
    at += 2;
    if (at < fields.size() && !pci_address(fields[at]).empty()) {
      columns.emplace_back("pci.bus_id");
      ++at;
    }
  }
  if (fields.size() != at + measured().size()) return {};
  columns.insert(columns.end(), measured().begin(), measured().end());
  return columns;
}

bool is_header(const std::vector<std::string>& fields) {
  return std::any_of(fields.begin(), fields.end(), [](const std::string& field) {
    const auto name = canonical(field);
    return name == "index" || name == "uuid" || name == "name";
  });
}

}  // namespace

SmiTable parse_smi_csv(std::string_view text) {
  SmiTable table;
  std::size_t index = 0;
  for (const auto line : split(text, '\n')) {
    if (trim(line).empty()) continue;
    auto fields = csv_fields(line);
    if (is_header(fields)) {  // again for every round of a long-running child
      for (auto& field : fields) field = canonical(field);
      // Rows of another header mean something else: what is under the last one counts.
      if (fields != table.columns) table.rows.clear();
      table.columns = std::move(fields);
      continue;
    }
    if (table.columns.empty() && parse_unsigned(fields[0])) table.columns = guess_columns(fields);
    const auto found = std::find(table.columns.begin(), table.columns.end(), "index");
    index = static_cast<std::size_t>(found - table.columns.begin());
    if (!table.columns.empty() && table.columns.back() == "name" &&
        fields.size() > table.columns.size()) {
      for (std::size_t i = table.columns.size(); i < fields.size(); ++i)
        fields[table.columns.size() - 1] += ", " + fields[i];
      fields.resize(table.columns.size());
    }
    const bool row = found != table.columns.end() && fields.size() == table.columns.size() &&
                     parse_unsigned(fields[index]).has_value();
    if (row)
      table.rows.push_back(std::move(fields));
    else
      table.diagnostics.emplace_back(trim(line));
  }
  return table;
}

std::vector<std::string> throttle_names(unsigned long long mask) {
  // nvml.h, nvmlClocksEventReasons: the bits in their order.
  static constexpr std::array<const char*, 9> names = {"gpu_idle",
                                                       "applications_clocks_setting",
                                                       "sw_power_cap",
                                                       "hw_slowdown",
                                                       "sync_boost",
                                                       "sw_thermal_slowdown",
                                                       "hw_thermal_slowdown",
                                                       "hw_power_brake_slowdown",
                                                       "display_clock_setting"};
  std::vector<std::string> reasons;
  for (unsigned bit = 0; bit < 64; ++bit) {
    if ((mask >> bit & 1U) == 0) continue;
    reasons.emplace_back(bit < names.size() ? names[bit] : "bit_" + std::to_string(bit));
  }
  return reasons;
}

void ThrottleCounters::add(const std::map<std::string, double>& counters,
                           std::vector<std::string>& reasons) {
  for (const auto& [reason, value] : counters) {
    const auto earlier = before_.find(reason);
    if (earlier == before_.end() || value <= earlier->second) continue;
    if (std::find(reasons.begin(), reasons.end(), reason) == reasons.end())
      reasons.push_back(reason);
  }
  before_ = counters;
}

namespace {

/// The part between `before` and `after`; "" where the line has not both.
std::string between(std::string_view line, std::string_view before, std::string_view after) {
  const auto from = line.rfind(before);
  if (from == std::string_view::npos) return {};
  const auto rest = line.substr(from + before.size());
  const auto to = rest.find(after);
  return to == std::string_view::npos ? std::string() : std::string(trim(rest.substr(0, to)));
}

}  // namespace

std::vector<Device> parse_smi_list(std::string_view text) {
  std::vector<Device> devices;
  std::string card;
  for (const auto line : split(text, '\n')) {
    const auto words = trim(line);
    const bool child = line.starts_with(' ') && words.starts_with("MIG ");
    const bool card_line = !line.starts_with(' ') && words.starts_with("GPU ");
    if (!child && !card_line) continue;
    Device device;
    device.backend = "cuda";
    device.uuid = between(words, "(UUID: ", ")");
    const auto paren = words.rfind(" (UUID: ");
    if (child) {
      // "MIG 3g.40gb     Device  0: (UUID: MIG-…)"
      const auto number = between(words, "Device ", ":");
      if (card.empty() || device.uuid.empty() || !parse_unsigned(number)) continue;
      device.index = card;
      device.index.append(":").append(number);
      device.name = "MIG " + std::string(trim(words.substr(4, words.find("Device ") - 4)));
    } else {
      const auto colon = words.find(':');
      const auto number = trim(words.substr(4, colon == std::string_view::npos ? 0 : colon - 4));
      if (colon == std::string_view::npos || !parse_unsigned(number)) continue;
      card = number;
      device.index = card;
      device.name = trim(words.substr(
          colon + 1, paren == std::string_view::npos ? std::string_view::npos : paren - colon - 1));
    }
    devices.push_back(std::move(device));
  }
  return devices;
}

std::string no_sensors(const std::string& index) {
  return "cuda: device " + index +
         ": a MIG part has no clock, temperature, power or utilisation "
         "of its own; device " +
         index.substr(0, index.find(':')) + " has";
}

std::string smi_failure(const process::Outcome& outcome) {
  const auto all = outcome.out + "\n" + outcome.err;
  const auto says = [&](std::string_view words) {
    return lower(all).find(words) != std::string::npos;
  };
  const auto is = [&](int code) { return outcome.exit_code == code; };
  std::string what;
  if (says("driver/library version mismatch") || is(18))
    what =
        "the driver and its library are of different versions (a reboot, or a container whose "
        "library is another release's)";
  else if (says("couldn't communicate with the nvidia driver") || is(9))
    what = "no driver: the NVIDIA driver is not loaded or does not answer";
  else if (says("insufficient permissions") || is(4))
    what = "no permission to ask the driver (device nodes not readable)";
  else if (says("gpu is lost") || says("unable to determine the device handle") || is(15))
    what = "a card is lost (fell off the bus), which hides the others too";
  else if (says("no devices were found") || is(6))
    what = "no devices were found";
  else if (says("is not a valid field"))
    what = "this nvidia-smi does not know a field";
  else if (is(12))
    what = "no driver: the NVML library was not found";
  else if (is(127))
    what = "nvidia-smi could not be run";
  else if (outcome.exit_code != 0)
    what = "nvidia-smi failed";
  else
    what = "nvidia-smi printed no row of the query";
  return "cuda: " + what + "; " + complaint(outcome);
}

}  // namespace zl::backends
