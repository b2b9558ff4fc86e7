// musa: Moore Threads cards, through `mthreads-gmi -q --json`.
#include <boost/json.hpp>
#include <set>

#include "backends/json_fields.hpp"
#include "backends/registry.hpp"
#include "backends/vendor_tool.hpp"
#include "backends/visibility.hpp"
#include "base/error.hpp"
#include "base/number.hpp"
#include "base/text.hpp"

namespace zl::backends {

namespace {

namespace json = boost::json;

constexpr const char* tool = "mthreads-gmi";
constexpr const char* visible_variable = "MUSA_VISIBLE_DEVICES";

/// One card of a report, its index checked.
struct Card {
  std::string index;
  const json::value* value;
};

struct Report {
  json::value document;
  std::vector<Card> cards;
  std::vector<std::string> warnings;
};

[[noreturn]] void contradiction(const std::string& what) {
  throw environment_error(std::string("musa: ") + tool + "'s report contradicts itself: " + what);
}

void add_cards(const json::array& list, Report& report) {
  std::set<std::string> seen;
  for (const auto& card : list) {
    if (!card.is_object()) contradiction("an entry of \"GPU\" is no object");
    const auto index = text_of(member(&card, {"Index"}));
    if (!parse_unsigned(index)) contradiction("a card without an index");
    if (!seen.insert(index).second) contradiction("index " + index + " is there twice");
    report.cards.push_back({index, &card});
  }
}

/// Reads and checks a report. `attached` may exceed the list (a selection), never the reverse
/// of an empty list.
Report ask_for_report(const Surroundings& surroundings) {
  const auto outcome = ask(surroundings, {tool, "-q", "--json"});
  Report report;
  report.document = parse_answer(tool, outcome);
  if (!report.document.is_object()) contradiction("the report is no object");
  const auto* list = member(&report.document, {"GPU", "GPUs"});
  const auto attached = parse_unsigned(text_of(member(&report.document, {"Attached GPUs"})));
  if (list != nullptr && !list->is_array()) contradiction("\"GPU\" is no list");
  if (list != nullptr) add_cards(list->get_array(), report);
  if (report.cards.empty()) {
    if (attached.value_or(0) > 0)
      contradiction(counted(*attached, "card") + " attached, none listed");
    if (!attached && list == nullptr)
      throw environment_error(std::string("musa: ") + tool + " listed no cards; " +
                              complaint(outcome));
    throw environment_error("musa: no devices were found");
  }
  if (attached && *attached < report.cards.size())
    contradiction(counted(*attached, "card") + " attached, " + std::to_string(report.cards.size()) +
                  " listed");
  if (attached && *attached > report.cards.size())
    report.warnings.push_back(std::string(tool) + " lists " + std::to_string(report.cards.size()) +
                              " of " + std::to_string(*attached) + " attached cards");
  return report;
}

Visibility visibility(const process::Environment& environment, std::span<const Device> devices) {
  const auto value = variable(environment, visible_variable);
  if (!value) return all_devices(devices);
  const auto word = lower(trim(*value));
  Visibility result;
  result.restricted = true;
  if (word.empty() || word == "none" || word == "void" || word == "-1") return result;
  if (word == "all") {
    result.selected = positions(devices.size());
    return result;
  }
  result = ordinals(visible_variable, *value, positions(devices.size()));
  // What the vendor does with a list that is not plain is written nowhere.
  result.decided = result.warnings.empty();
  if (!result.decided)
    result.warnings.push_back(std::string(visible_variable) +
                              ": the vendor documents no rule for this; not decided");
  return result;
}

Listing list(const Surroundings& surroundings) {
  auto report = ask_for_report(surroundings);
  Listing listing;
  listing.warnings = std::move(report.warnings);
  for (const auto& card : report.cards) {
    Device device;
    device.backend = "musa";
    device.index = card.index;
    device.uuid = known_text(text_of(member(card.value, {"GPU UUID"})));
    device.name = known_text(text_of(member(card.value, {"Product Name"})));
    device.pci_bus_id =
        pci_address(text_of(member(member(card.value, {"PCI"}), {"Bus ID", "PCI/Bus ID"})));
    device.memory_mib =
        quantity_of(member(card.value, {"FB Memory Usage"}), {"Total"}, Unit::memory);
    listing.devices.push_back(std::move(device));
  }
  apply_visibility(visibility(surroundings.environment, listing.devices), listing);
  return listing;
}

/// The vendor's library answers "success, 0" for a sensor that it cannot read, and no card that
/// answers runs at 0 MHz or 0 W.
std::optional<double> unless_zero(std::optional<double> value) {
  return value && *value > 0 ? value : std::nullopt;
}

class GmiSampler : public Sampler {
 public:
  GmiSampler(const Surroundings& surroundings, std::span<const Device> devices)
      : surroundings_(surroundings), devices_(devices.begin(), devices.end()) {}

  SampleSet read() override {
    auto report = ask_for_report(surroundings_);
    SampleSet set;
    for (const auto& card : report.cards) {
      Sample sample;
      sample.index = card.index;
      const auto* clocks = member(card.value, {"Clocks"});
      sample.sm_clock_mhz = unless_zero(quantity_of(clocks, {"Graphics"}, Unit::clock));
      sample.mem_clock_mhz = unless_zero(quantity_of(clocks, {"Memory"}, Unit::clock));
      sample.temp_c =
          quantity_of(member(card.value, {"Temperature"}), {"GPU Current Temp"}, Unit::temperature);
      sample.power_w = unless_zero(
          quantity_of(member(card.value, {"Power Readings"}), {"Power Draw"}, Unit::power));
      sample.util_pct = quantity_of(member(card.value, {"Utilization"}), {"Gpu"}, Unit::share);
      set.samples.push_back(std::move(sample));
    }
    set.warnings = std::move(report.warnings);
    arrange(devices_, tool, set);
    return set;
  }
  std::string name() const override { return tool; }

 private:
  Surroundings surroundings_;
  std::vector<Device> devices_;
};

std::unique_ptr<Sampler> open_sampler(const Surroundings& surroundings,
                                      std::span<const Device> devices) {
  check_sampler_name(surroundings, {tool});
  if (!is_installed(surroundings, tool))
    throw environment_error(std::string("musa: ") + tool + " is not installed");
  return std::make_unique<GmiSampler>(surroundings, devices);
}

bool answers(const Surroundings& surroundings) {
  try {
    return is_installed(surroundings, tool) && !ask_for_report(surroundings).cards.empty();
  } catch (const Error&) {
    return false;
  }
}

std::string driver_version(const Surroundings& surroundings) {
  try {
    const auto report = ask_for_report(surroundings);
    return known_text(text_of(member(&report.document, {"Driver Version"})));
  } catch (const Error&) {
    return {};
  }
}

process::Environment pin(const Device& device) {
  return {{visible_variable, device.index}};
}

}  // namespace

Backend make_musa_backend() {
  Traits traits;
  traits.name = "musa";
  traits.aliases = {"mthreads", "mt", "moore"};
  traits.visibility_variables = {visible_variable};
  traits.sampler = "mthreads-gmi -q --json";
  traits.graph_capture = true;
  traits.graph_class = "MUSAGraph";
  traits.torch_device = "musa";
  traits.flaggems_vendor = "mthreads";
  traits.switch_prefix = "FLAGTREE_MUSA_";
  traits.capture_wordings = {
      {"MUSAGeneratorImpl::current_seed", CaptureVerdict::refused},
      {"operation not permitted when stream is capturing", CaptureVerdict::refused},
      {"MUSA error: unknown error", CaptureVerdict::poisoned}};
  traits.never_captured = {"unique2"};  // its capture attempt breaks the context
  // The operator dispatches through FlagGems' device, its guard asks for CUDA by name.
  traits.lifted_guards = {{"benchmark/test_fft.py", "CUDA is not available"}};
  return {std::move(traits), list, visibility, open_sampler, answers, driver_version, pin};
}

}  // namespace zl::backends
