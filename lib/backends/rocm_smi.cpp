#include "backends/rocm_smi.hpp"

#include <boost/json.hpp>
#include <cmath>
#include <set>

#include "backends/json_fields.hpp"
#include "backends/vendor_tool.hpp"
#include "base/error.hpp"
#include "base/number.hpp"
#include "base/text.hpp"

namespace zl::backends {

namespace json = boost::json;

namespace {

constexpr const char* amd = "amd-smi";
constexpr const char* rocm = "rocm-smi";

struct Card {
  std::string index;
  const json::value* value;
};

void add_card(std::string index, const json::value& value, std::vector<Card>& cards) {
  for (const auto& card : cards)
    if (card.index == index)
      throw environment_error("rocm: the report lists card " + index + " twice");
  cards.push_back({std::move(index), &value});
}

/// Cards of amd-smi's answer: a list, or an object with the list as `gpu_data`.
std::vector<Card> amd_cards(const json::value& document) {
  const auto* list = document.is_object() ? member(&document, {"gpu_data"}) : &document;
  std::vector<Card> cards;
  if (list == nullptr || !list->is_array()) return cards;
  for (const auto& card : list->get_array()) {
    const auto index = text_of(member(&card, {"gpu"}));
    if (parse_unsigned(index)) add_card(index, card, cards);
  }
  return cards;
}

/// Cards of rocm-smi's answer: members called card0, card1, …; `system` is none.
std::vector<Card> rocm_cards(const json::value& document) {
  std::vector<Card> cards;
  if (!document.is_object()) return cards;
  for (const auto& entry : document.get_object()) {
    const auto key = lower(trim(std::string_view(entry.key())));
    if (!key.starts_with("card") || !parse_unsigned(std::string_view(key).substr(4))) continue;
    if (entry.value().is_object()) add_card(key.substr(4), entry.value(), cards);
  }
  return cards;
}

/// An answer and its cards, which point into it.
struct Report {
  json::value document;
  std::vector<Card> cards;
};

template <typename Cards>
Report ask_report(const Surroundings& surroundings, std::vector<std::string> argv, Cards cards_of) {
  const auto tool = argv.front();
  const auto outcome = ask(surroundings, std::move(argv));
  Report report;
  // rocm-smi says so on stderr, with exit status 0 and nothing on stdout.
  if (lower(outcome.out + outcome.err).find("no json data to report") != std::string::npos)
    throw environment_error("rocm: no devices were found; " + complaint(outcome));
  report.document = parse_answer(tool, outcome);
  report.cards = cards_of(report.document);
  if (report.cards.empty())
    throw environment_error("rocm: " + tool + " listed no card" + status_text(outcome));
  return report;
}

/// amd-smi first, then rocm-smi, or the one that is forced; which one answered is returned too.
template <typename ByAmd, typename ByRocm>
auto by_either(const Surroundings& surroundings, ByAmd by_amd, ByRocm by_rocm) {
  check_sampler_name(surroundings, {amd, rocm});
  if (surroundings.sampler == amd) return by_amd();
  if (surroundings.sampler == rocm) return by_rocm();
  std::string why_not;
  try {
    return by_amd();
  } catch (const Error& error) {
    why_not = error.what();
  }
  try {
    return by_rocm();
  } catch (const Error& error) {
    throw environment_error(why_not + "; " + error.what());
  }
}

Sample amd_sample(const Card& card) {
  Sample sample;
  sample.index = card.index;
  const auto* value = card.value;
  const auto* clock = member(value, {"clock"});
  const auto current = [&](std::string_view domain) {
    return quantity_of(member(clock, {domain}), {"clk", "cur_clk"}, Unit::clock);
  };
  sample.sm_clock_mhz = current("gfx_0");
  if (!sample.sm_clock_mhz)
    sample.sm_clock_mhz = quantity_of(clock, {"apu_average_gfxclk_frequency"}, Unit::clock);
  sample.mem_clock_mhz = current("mem_0");
  if (!sample.mem_clock_mhz)
    sample.mem_clock_mhz = quantity_of(clock, {"apu_average_uclk_frequency"}, Unit::clock);
  sample.temp_c = quantity_of(member(value, {"temperature"}),
                              {"edge", "hotspot", "apu_temperature_gfx"}, Unit::temperature);
  sample.power_w = quantity_of(
      member(value, {"power"}),
      {"socket_power", "average_socket_power", "current_socket_power", "apu_average_socket_power"},
      Unit::power);
  sample.util_pct = quantity_of(member(value, {"usage"}),
                                {"gfx_activity", "apu_average_gfx_activity"}, Unit::share);
  return sample;
}

/// "(300Mhz)", or the older level form "0 (300Mhz)".
std::optional<double> rocm_clock(const json::value* card, const std::string& domain) {
  for (const auto& key : {domain + " clock speed:", domain + " clock speed",
                          domain + " clock level", domain + " clock level:"}) {
    const auto text = text_of(member(card, {key}));
    const auto bracket = text.find('(');
    if (bracket == std::string::npos) continue;
    if (const auto mhz = quantity(text.substr(bracket), Unit::clock)) return mhz;
  }
  return std::nullopt;
}

Sample rocm_sample(const Card& card) {
  Sample sample;
  sample.index = card.index;
  sample.sm_clock_mhz = rocm_clock(card.value, "sclk");
  sample.mem_clock_mhz = rocm_clock(card.value, "mclk");
  sample.temp_c = quantity_of(
      card.value, {"Temperature (Sensor edge) (C)", "Temperature (Sensor junction) (C)"},
      Unit::temperature);
  sample.power_w = quantity_of(
      card.value,
      {"Average Graphics Package Power (W)", "Current Socket Graphics Package Power (W)"},
      Unit::power);
  sample.util_pct = quantity_of(card.value, {"GPU use (%)"}, Unit::share);
  return sample;
}

class RocmSampler : public Sampler {
 public:
  RocmSampler(const Surroundings& surroundings, std::span<const Device> devices)
      : surroundings_(surroundings), devices_(devices.begin(), devices.end()) {}

  SampleSet read() override {
    auto set = by_either(
        surroundings_,
        [&] {
          return collect(ask_report(surroundings_,
                                    {amd, "metric", "--usage", "--power", "--clock",
                                     "--temperature", "--json"},
                                    amd_cards),
                         amd_sample, amd);
        },
        [&] {
          return collect(ask_report(surroundings_,
                                    {rocm, "--showid", "--showtemp", "--showclocks", "--showpower",
                                     "--showuse", "--json"},
                                    rocm_cards),
                         rocm_sample, rocm);
        });
    arrange(devices_, surroundings_.sampler, set);
    return set;
  }
  std::string name() const override {
    return surroundings_.sampler.empty() ? "amd-smi, else rocm-smi" : surroundings_.sampler;
  }

 private:
  /// What answered once is kept to: the two may number cards differently.
  SampleSet collect(const Report& report, Sample (*sample_of)(const Card&), const char* tool) {
    SampleSet set;
    for (const auto& card : report.cards) set.samples.push_back(sample_of(card));
    surroundings_.sampler = tool;
    return set;
  }

  Surroundings surroundings_;
  std::vector<Device> devices_;
};

std::vector<Device> list_by_amd(const Surroundings& surroundings) {
  const auto report = ask_report(surroundings, {amd, "list", "--json"}, amd_cards);
  std::vector<Device> devices;
  for (const auto& card : report.cards) {
    Device device;
    device.backend = "rocm";
    device.index = card.index;
    // hip_uuid is what the visibility variable takes; older versions have the other only.
    device.uuid = known_text(text_of(member(card.value, {"hip_uuid", "uuid"})));
    device.pci_bus_id = pci_address(text_of(member(card.value, {"bdf"})));
    devices.push_back(std::move(device));
  }
  try {
    const auto facts =
        ask_report(surroundings, {amd, "static", "--asic", "--vram", "--json"}, amd_cards);
    for (const auto& card : facts.cards)
      for (auto& device : devices) {
        if (device.index != card.index) continue;
        device.name = known_text(text_of(member(member(card.value, {"asic"}), {"market_name"})));
        device.memory_mib = quantity_of(member(card.value, {"vram"}), {"size"}, Unit::memory);
      }
  } catch (const Error&) {  // names and sizes only: the listing stands without them
  }
  return devices;
}

/// "0x719d000000000001" as ROCm's runtime writes it: GPU-719d000000000001.
std::string runtime_uuid(const std::string& unique_id) {
  if (!unique_id.starts_with("0x")) return unique_id;
  const auto digits = unique_id.substr(2);
  return "GPU-" + std::string(digits.size() < 16 ? 16 - digits.size() : 0, '0') + digits;
}

std::vector<Device> list_by_rocm(const Surroundings& surroundings) {
  const auto report = ask_report(surroundings,
                                 {rocm, "--showid", "--showuniqueid", "--showbus",
                                  "--showproductname", "--showmeminfo", "vram", "--json"},
                                 rocm_cards);
  std::vector<Device> devices;
  for (const auto& card : report.cards) {
    Device device;
    device.backend = "rocm";
    device.index = card.index;
    device.uuid = runtime_uuid(known_text(text_of(member(card.value, {"Unique ID"}))));
    device.pci_bus_id = pci_address(text_of(member(card.value, {"PCI Bus"})));
    for (const char* key : {"Card Series", "Device Name", "Card Model"})
      if (device.name.empty()) device.name = known_text(text_of(member(card.value, {key})));
    if (const auto bytes = parse_double(text_of(member(card.value, {"VRAM Total Memory (B)"})));
        bytes && *bytes >= 0)
      device.memory_mib = std::floor(*bytes / 1048576);
    devices.push_back(std::move(device));
  }
  return devices;
}

}  // namespace

bool rocm_answers(const Surroundings& surroundings) {
  const auto one = [&](std::vector<std::string> argv, auto cards_of) {
    try {
      return is_installed(surroundings, argv.front()) &&
             !ask_report(surroundings, argv, cards_of).cards.empty();
    } catch (const Error&) {
      return false;
    }
  };
  return one({amd, "list", "--json"}, amd_cards) || one({rocm, "--showid", "--json"}, rocm_cards);
}

std::vector<Device> list_rocm(const Surroundings& surroundings) {
  return by_either(
      surroundings, [&] { return list_by_amd(surroundings); },
      [&] { return list_by_rocm(surroundings); });
}

std::unique_ptr<Sampler> make_rocm_sampler(const Surroundings& surroundings,
                                           std::span<const Device> devices) {
  check_sampler_name(surroundings, {amd, rocm});
  return std::make_unique<RocmSampler>(surroundings, devices);
}

}  // namespace zl::backends
