// ascend: Huawei NPUs, through npu-smi.
#include <algorithm>
#include <set>

#include "backends/json_fields.hpp"
#include "backends/npu_smi.hpp"
#include "backends/registry.hpp"
#include "backends/vendor_tool.hpp"
#include "backends/visibility.hpp"
#include "base/error.hpp"
#include "base/number.hpp"
#include "base/text.hpp"

namespace zl::backends {

namespace {

constexpr const char* tool = "npu-smi";
constexpr const char* visible_variable = "ASCEND_RT_VISIBLE_DEVICES";

[[noreturn]] void fail(const process::Outcome& outcome) {
  const auto all = outcome.out + outcome.err;
  std::string what = "npu-smi printed no table of chips";
  if (all.find("-8005") != std::string::npos)
    what = "no device, or no permission (root or the driver's group is needed)";
  else if (all.find("initialize failed") != std::string::npos)
    what = "no driver: the management library does not start";
  // A line about a log level comes before the one that says it.
  const auto reason = all.find("dcmi module");
  throw environment_error(
      "ascend: " + what + "; " +
      (reason == std::string::npos
           ? complaint(outcome)
           : "it said " + in_quotes(first_line(all.substr(reason))) + status_text(outcome)));
}

NpuTable ask_for_table(const Surroundings& surroundings) {
  const auto outcome = ask(surroundings, {tool, "info"});
  auto table = parse_npu_table(outcome.out);
  if (table.chips.empty()) fail(outcome);
  std::set<std::pair<std::string, std::string>> seen;
  for (const auto& chip : table.chips)
    if (!seen.emplace(chip.npu, chip.chip).second)
      throw environment_error("ascend: npu-smi's table contradicts itself: chip " + chip.chip +
                              " of card " + chip.npu + " is there twice");
  return table;
}

/// The card's id; `card:chip` where some card has several.
std::string index_of(const NpuTable& table, const NpuChip& chip) {
  return table.several ? chip.npu + ":" + chip.chip : chip.npu;
}

/// Logical ids, ascending; any other character, a blank too, ends the list, as an unknown id
/// does. Source: CANN documentation, environment variable ASCEND_RT_VISIBLE_DEVICES.
Visibility visibility(const process::Environment& environment, std::span<const Device> devices) {
  const auto value = variable(environment, visible_variable);
  if (!value) return all_devices(devices);
  Visibility result;
  result.restricted = true;
  std::string_view rest = *value;
  std::optional<std::uint64_t> last;
  const auto end = [&](const std::string& why) {
    result.warnings.push_back(std::string(visible_variable) + ": the list ends at " +
                              in_quotes(rest) + ", " + why);
    return result;
  };
  while (!rest.empty()) {
    const auto digits = std::min(rest.find_first_not_of("0123456789"), rest.size());
    const auto id = parse_unsigned(rest.substr(0, digits));
    if (!id) return rest == "-1" ? result : end("which is no id");
    const auto found = std::find_if(devices.begin(), devices.end(), [&](const Device& device) {
      return parse_unsigned(device.ordinal.empty() ? device.index : device.ordinal) == id;
    });
    if (found == devices.end()) return end("which names no device");
    if (last && *id <= *last) {
      // Older releases took any order, newer ones want it ascending: both cannot be right.
      result.decided = false;
      result.warnings.push_back(std::string(visible_variable) +
                                ": ids that do not ascend mean different things by release; not "
                                "decided");
    }
    last = id;
    result.selected.push_back(static_cast<std::size_t>(found - devices.begin()));
    rest.remove_prefix(digits);
    if (!rest.empty() && rest.front() != ',') return end("which is no comma");
    if (!rest.empty()) rest.remove_prefix(1);
  }
  return result;
}

Listing list(const Surroundings& surroundings) {
  const auto table = ask_for_table(surroundings);
  std::map<std::pair<std::string, std::string>, std::string> mapping;
  Listing listing;
  try {
    mapping = parse_npu_mapping(ask(surroundings, {tool, "info", "-m"}).out);
  } catch (const Error& error) {
    listing.warnings.emplace_back(error.what());
  }
  for (const auto& chip : table.chips) {
    Device device;
    device.backend = "ascend";
    device.index = index_of(table, chip);
    device.name = known_text(chip.name);
    device.pci_bus_id = chip.bus_id;
    device.memory_mib = chip.memory_mib;
    const auto found = mapping.find({chip.npu, chip.chip});
    // Without the mapping: ids count the chips in the table's order.
    device.ordinal =
        found == mapping.end() ? std::to_string(listing.devices.size()) : found->second;
    listing.devices.push_back(std::move(device));
  }
  if (table.cut_off) listing.warnings.emplace_back("npu-smi's table ends inside a chip");
  apply_visibility(visibility(surroundings.environment, listing.devices), listing);
  return listing;
}

class NpuSampler : public Sampler {
 public:
  NpuSampler(const Surroundings& surroundings, std::span<const Device> devices)
      : surroundings_(surroundings), devices_(devices.begin(), devices.end()) {}

  SampleSet read() override {
    const auto table = ask_for_table(surroundings_);
    SampleSet set;
    std::map<std::string, Common> by_card;
    for (const auto& chip : table.chips) {
      Sample sample;
      sample.index = index_of(table, chip);
      if (!wanted(sample.index)) continue;
      sample.temp_c = chip.temp_c;
      sample.power_w = chip.power_w;
      sample.util_pct = chip.util_pct;
      if (by_card.count(chip.npu) == 0) by_card[chip.npu] = ask_common(chip.npu, set);
      add_clock(by_card[chip.npu], chip, sample);
      set.samples.push_back(std::move(sample));
    }
    if (table.cut_off) set.warnings.emplace_back("npu-smi's table ends inside a chip");
    arrange(devices_, tool, set);
    return set;
  }
  std::string name() const override { return tool; }

 private:
  using Common = std::map<std::string, std::map<std::string, std::string>>;

  bool wanted(const std::string& index) const {
    return devices_.empty() ||
           std::any_of(devices_.begin(), devices_.end(),
                       [&](const Device& device) { return device.index == index; });
  }

  /// A second call a card: the table has no clocks. A card that does not tell them is not asked
  /// again.
  Common ask_common(const std::string& npu, SampleSet& set) {
    if (silent_.count(npu) != 0) return {};
    try {
      auto common =
          parse_npu_common(ask(surroundings_, {tool, "info", "-t", "common", "-i", npu}).out);
      const bool tells = std::any_of(common.begin(), common.end(), [](const auto& chip) {
        return chip.second.count("aicorecurfreq(mhz)") != 0;
      });
      if (!tells) silent_.insert(npu);
      return common;
    } catch (const Error& error) {
      set.warnings.emplace_back(error.what());
      return {};
    }
  }

  static void add_clock(const Common& common, const NpuChip& chip, Sample& sample) {
    const auto block = common.find(chip.chip);
    if (block == common.end()) return;
    const auto found = block->second.find("aicorecurfreq(mhz)");
    if (found != block->second.end()) sample.sm_clock_mhz = quantity(found->second, Unit::clock);
  }

  Surroundings surroundings_;
  std::vector<Device> devices_;
  std::set<std::string> silent_;
};

std::unique_ptr<Sampler> open_sampler(const Surroundings& surroundings,
                                      std::span<const Device> devices) {
  check_sampler_name(surroundings, {tool});
  if (!is_installed(surroundings, tool))
    throw environment_error(std::string("ascend: ") + tool + " is not installed");
  return std::make_unique<NpuSampler>(surroundings, devices);
}

bool answers(const Surroundings& surroundings) {
  try {
    return is_installed(surroundings, tool) && !ask_for_table(surroundings).chips.empty();
  } catch (const Error&) {
    return false;
  }
}

std::string driver_version(const Surroundings& surroundings) {
  try {
    return known_text(ask_for_table(surroundings).version);
  } catch (const Error&) {
    return {};
  }
}

process::Environment pin(const Device& device) {
  return {{visible_variable, device.ordinal.empty() ? device.index : device.ordinal}};
}

}  // namespace

Backend make_ascend_backend() {
  Traits traits;
  traits.name = "ascend";
  traits.aliases = {"npu", "huawei", "cann"};
  traits.visibility_variables = {visible_variable};
  traits.sampler = tool;
  traits.torch_device = "npu";
  traits.flaggems_vendor = "ascend";
  return {std::move(traits), list, visibility, open_sampler, answers, driver_version, pin};
}

}  // namespace zl::backends
