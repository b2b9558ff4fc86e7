#include "telemetry/summary.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "base/number.hpp"
#include "base/text.hpp"

namespace zl::telemetry {

bool holds_clocks(std::string_view reason) {
  return reason != "gpu_idle" && reason != "applications_clocks_setting" &&
         reason != "display_clock_setting";
}

namespace {

using Values = std::vector<double>;

/// The q-th quantile of sorted values, linear between neighbours.
double quantile(const Values& sorted, double q) {
  const double at = q * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(at);
  const auto above = std::min(below + 1, sorted.size() - 1);
  return std::lerp(sorted[below], sorted[above], at - std::floor(at));
}

Range range_of(Values values) {
  if (values.empty()) return {};
  std::sort(values.begin(), values.end());
  return {quantile(values, 0.5), values.front(), values.back()};
}

/// The clock in one reading, and whether the device was at work.
struct Clock {
  double mhz;
  std::optional<double> util_pct;
};

/// All readings of one device.
struct Series {
  DeviceSummary summary;
  std::array<Values, 5> values;  ///< in the order of the columns
  std::vector<Clock> clocks;
  std::size_t loaded_known = 0, util_known = 0;
  std::size_t throttle_known = 0, throttled = 0;
  std::map<std::string, std::size_t> reasons;

  void add_throttle(std::string_view field) {
    if (field.empty()) return;
    ++throttle_known;
    if (field == "none") return;
    bool held = false;
    for (const auto reason : split(field, ',')) {
      ++reasons[std::string(reason)];
      held = held || holds_clocks(reason);
    }
    if (held) ++throttled;
  }
};

constexpr std::array<const char*, 5> measured = {"sm_clock_mhz", "mem_clock_mhz", "temp_c",
                                                 "power_w", "util_pct"};

double percent(std::size_t part, std::size_t whole) {
  return 100.0 * static_cast<double>(part) / static_cast<double>(whole);
}

void judge_clocks(const Series& series, const SummaryLimits& limits, DeviceSummary& summary) {
  Values clocks;
  for (const auto& clock : series.clocks)
    if (clock.util_pct.value_or(limits.load_pct) >= limits.load_pct) clocks.push_back(clock.mhz);
  constexpr std::size_t fewest = 3;  // fewer readings show no drift
  if (clocks.size() >= fewest) {
    std::sort(clocks.begin(), clocks.end());
    const double median = quantile(clocks, 0.5);
    if (median > 0)
      summary.clock_band_pct = 100 * (quantile(clocks, 0.95) - quantile(clocks, 0.05)) / median;
  }
  if (summary.throttled_pct.value_or(0) >= limits.throttle_pct)
    summary.clocks = "throttled";
  else if (summary.clock_band_pct)
    summary.clocks = *summary.clock_band_pct > limits.drift_pct ? "drifting" : "stable";
}

DeviceSummary finish(Series& series, const SummaryLimits& limits) {
  auto& summary = series.summary;
  Range* const ranges[] = {&summary.sm_clock_mhz, &summary.mem_clock_mhz, &summary.temp_c,
                           &summary.power_w, &summary.util_pct};
  for (std::size_t i = 0; i < measured.size(); ++i) *ranges[i] = range_of(series.values[i]);
  summary.loaded = series.util_known == 0 ? summary.samples : series.loaded_known;
  if (series.throttle_known > 0) {
    summary.throttled_pct = percent(series.throttled, series.throttle_known);
    for (const auto& [reason, count] : series.reasons)
      summary.reasons_pct[reason] = percent(count, series.throttle_known);
  }
  judge_clocks(series, limits, summary);
  return std::move(summary);
}

}  // namespace

std::vector<DeviceSummary> summarise(formats::RowReader& reader, const SummaryLimits& limits) {
  std::vector<Series> all;
  std::map<std::string, std::size_t> positions;
  formats::Row row;
  while (reader.next(row)) {
    const auto& index = formats::RowReader::field(row, reader.require_column("index"));
    const auto [position, is_new] = positions.emplace(index, all.size());
    if (is_new) all.emplace_back().summary.index = index;
    auto* const found = &all[position->second];
    const auto& time = formats::RowReader::field(row, reader.column("time"));
    if (found->summary.samples++ == 0) found->summary.from = time;
    found->summary.to = time;
    std::array<std::optional<double>, measured.size()> numbers;
    for (std::size_t i = 0; i < measured.size(); ++i) {
      const auto column = reader.column(measured[i]);
      if (column) numbers[i] = reader.number_at(row, *column);
      if (numbers[i]) found->values[i].push_back(*numbers[i]);
    }
    if (numbers[0]) found->clocks.push_back({*numbers[0], numbers[4]});
    if (numbers[4]) ++found->util_known;
    if (numbers[4] && *numbers[4] >= limits.load_pct) ++found->loaded_known;
    found->add_throttle(formats::RowReader::field(row, reader.column("throttle")));
  }
  if (!reader.has_header()) reader.require_column("index");
  std::vector<DeviceSummary> summaries;
  summaries.reserve(all.size());
  for (auto& series : all) summaries.push_back(finish(series, limits));
  return summaries;
}

const std::vector<formats::Column>& summary_columns() {
  static const std::vector<formats::Column> all = [] {
    using enum formats::ColumnType;
    std::vector<formats::Column> columns = {
        {"index", text}, {"from", text}, {"to", text}, {"samples", number}, {"loaded", number}};
    for (const char* name : measured)
      for (const char* part : {"_median", "_min", "_max"})
        columns.push_back({std::string(name) + part, number});
    const std::vector<formats::Column> rest = {
        {"throttled_pct", number},  {"reasons", text},           {"clocks", text},
        {"clock_band_pct", number}, {"drift_limit_pct", number}, {"throttle_limit_pct", number},
        {"tick_ms", number},        {"core_pct", number}};
    columns.insert(columns.end(), rest.begin(), rest.end());
    return columns;
  }();
  return all;
}

std::vector<std::string> summary_fields(const DeviceSummary& summary, const SummaryLimits& limits,
                                        const std::optional<SamplingCost>& cost) {
  const auto text = [](const std::optional<double>& value, int decimals = 2) {
    return value ? format_rounded(*value, decimals) : std::string();
  };
  std::vector<std::string> fields = {summary.index, summary.from, summary.to,
                                     std::to_string(summary.samples),
                                     std::to_string(summary.loaded)};
  for (const auto* range : {&summary.sm_clock_mhz, &summary.mem_clock_mhz, &summary.temp_c,
                            &summary.power_w, &summary.util_pct})
    for (const auto& value : {range->median, range->least, range->most})
      fields.push_back(text(value));
  std::vector<std::string> reasons;
  for (const auto& [reason, share] : summary.reasons_pct)
    reasons.push_back(reason + "=" + format_rounded(share, 1));
  const std::vector<std::string> rest = {text(summary.throttled_pct, 1),
                                         join(reasons, ","),
                                         summary.clocks,
                                         text(summary.clock_band_pct),
                                         format_number(limits.drift_pct),
                                         format_number(limits.throttle_pct),
                                         cost ? text(cost->tick_ms, 3) : "",
                                         cost ? text(cost->core_pct, 3) : ""};
  fields.insert(fields.end(), rest.begin(), rest.end());
  return fields;
}

}  // namespace zl::telemetry
