// telemetry.tsv and its .cost: ranges are ordered, shares are shares, and the summary is a row.

#include <sstream>

#include "fuzz.hpp"
#include "report/evidence.hpp"
#include "telemetry/summary.hpp"

using namespace zl;
using fuzz::require;

namespace {

void summary_is_sound(const std::string& text) {
  std::istringstream in(text);
  formats::RowReader reader(in, "telemetry");
  const telemetry::SummaryLimits limits;
  for (const auto& device : telemetry::summarise(reader, limits)) {
    for (const auto* range : {&device.sm_clock_mhz, &device.mem_clock_mhz, &device.temp_c,
                              &device.power_w, &device.util_pct})
      require(!range->median || (*range->least <= *range->median && *range->median <= *range->most),
              "a range holds its median");
    require(device.loaded <= device.samples, "not more readings under load than readings");
    require(device.throttled_pct.value_or(0) <= 100, "a share is a share");
    for (const auto& [reason, share] : device.reasons_pct)
      require(share > 0 && share <= 100, "a reason's share is a share");
    require(
        telemetry::summary_fields(device, limits, {}).size() == telemetry::summary_columns().size(),
        "a summary has a field a column");
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(fuzz::text_of(data, size));
  fuzz::input_errors_only([&] { summary_is_sound(text); });
  fuzz::input_errors_only([&] {
    const fuzz::File file(text);
    const auto all = report::read_evidence(file.path(), "", true);
    const auto one = report::read_evidence(file.path(), "0", false);
    require(!one || all, "a device's readings are among all readings");
    require(!all || all->trace.size() == all->samples, "the trace has every reading");
  });
  fuzz::input_errors_only([&] {
    static const fuzz::Folder folder;
    folder.write("t.tsv.cost", text);
    telemetry::read_cost(folder.path() / "t.tsv");
  });
  return 0;
}
