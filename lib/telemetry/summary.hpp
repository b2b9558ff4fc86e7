#pragma once
// What a telemetry.tsv says about each device: ranges, throttling, and whether the clocks held.

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "formats/rows.hpp"

namespace zl::telemetry {

/// Limits of the verdict, printed beside it.
struct SummaryLimits {
  double drift_pct = 3.0;     ///< band of the clock under load, in percent of its median
  double throttle_pct = 5.0;  ///< share of readings with a reason that holds the clocks back
  double load_pct = 50.0;     ///< a reading counts as loaded from this utilisation on
};

struct Range {
  std::optional<double> median, least, most;
};

struct DeviceSummary {
  std::string index, from, to;  ///< times of the first and the last reading, as written
  std::size_t samples = 0;
  std::size_t loaded = 0;  ///< readings under load; all of them where utilisation is not known
  Range sm_clock_mhz, mem_clock_mhz, temp_c, power_w, util_pct;
  std::optional<double> throttled_pct;        ///< nothing where no reading tells reasons
  std::map<std::string, double> reasons_pct;  ///< share of readings that name the reason
  /// (95th - 5th percentile) / median of the clock under load, in percent.
  std::optional<double> clock_band_pct;
  std::string clocks;  ///< stable, drifting, throttled; "" where it cannot be told
};

/// Reads telemetry rows and sums them up per device, in the order of first appearance. Throws
/// Error(input) with the position of a field that is no number, or where `index` is missing.
std::vector<DeviceSummary> summarise(formats::RowReader& reader, const SummaryLimits& limits);

/// Whether a reason of the `throttle` column holds the clocks back: an idle device and a clock
/// that someone set do not count.
bool holds_clocks(std::string_view reason);

/// What sampling itself cost, over one run of a sampler.
struct SamplingCost {
  std::string time;  ///< when the run ended
  std::string sampler;
  std::size_t ticks = 0, failed = 0, skipped = 0;
  std::optional<double> tick_ms;   ///< mean duration of a reading
  std::optional<double> core_pct;  ///< CPU time of the sampler and its children, of one core
};
/// Kept beside FILE in FILE.cost, a row a run.
std::filesystem::path cost_file(const std::filesystem::path& telemetry_file);
void append_cost(const std::filesystem::path& telemetry_file, const SamplingCost& cost);
/// Over all runs, weighed by ticks; nothing where there is no such file.
std::optional<SamplingCost> read_cost(const std::filesystem::path& telemetry_file);

const std::vector<formats::Column>& summary_columns();
std::vector<std::string> summary_fields(const DeviceSummary& summary, const SummaryLimits& limits,
                                        const std::optional<SamplingCost>& cost);

}  // namespace zl::telemetry
