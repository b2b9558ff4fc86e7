// What vendors' tools print, in their text forms: rows as wide as their header, numbers that are
// numbers.

#include <cmath>

#include "backends/cuda_smi.hpp"
#include "backends/npu_smi.hpp"
#include "backends/quantity.hpp"
#include "fuzz.hpp"

using namespace zl;
using namespace zl::backends;
using fuzz::require;

namespace {

bool sound(const std::optional<double>& value) {
  return !value || std::isfinite(*value);
}

void quantities_are_sound(std::string_view text) {
  for (const auto unit : {Unit::clock, Unit::power, Unit::temperature, Unit::share, Unit::memory}) {
    const auto value = quantity(text, unit);
    require(sound(value) && (unit == Unit::temperature || value.value_or(0) >= 0),
            "a quantity is a number of its kind");
  }
  require(known_text(known_text(text)) == known_text(text), "a known text is known");
  const auto address = pci_address(text);
  require(pci_address(address) == address, "a bus id stays as it is");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto text = fuzz::text_of(data, size);
  fuzz::without_error([&] {
    const auto table = parse_smi_csv(text);
    for (const auto& row : table.rows)
      require(row.size() == table.columns.size(), "a row is as wide as its header");
    for (const auto& device : parse_smi_list(text))
      require(!device.index.empty(), "a card has an index");
    for (const auto& chip : parse_npu_table(text).chips)
      require(sound(chip.power_w) && sound(chip.temp_c) && sound(chip.util_pct) &&
                  sound(chip.memory_mib) && !chip.npu.empty() && !chip.chip.empty(),
              "a chip has its ids and numbers");
    for (const auto& [ids, logic] : parse_npu_mapping(text))
      require(!logic.empty(), "a mapping leads to an id");
    parse_npu_common(text);
    quantities_are_sound(text);
  });
  return 0;
}
