#include <fstream>

#include "base/files.hpp"
#include "base/number.hpp"
#include "telemetry/summary.hpp"

namespace zl::telemetry {

namespace {

const std::vector<formats::Column>& cost_columns() {
  using enum formats::ColumnType;
  static const std::vector<formats::Column> all = {
      {"time", text},      {"sampler", text},   {"ticks", number},   {"failed", number},
      {"skipped", number}, {"tick_ms", number}, {"core_pct", number}};
  return all;
}

}  // namespace

std::filesystem::path cost_file(const std::filesystem::path& telemetry_file) {
  auto path = telemetry_file;
  path += ".cost";
  return path;
}

void append_cost(const std::filesystem::path& telemetry_file, const SamplingCost& cost) {
  const auto text = [](const std::optional<double>& value) {
    return value ? format_rounded(*value, 3) : std::string();
  };
  AppendFile(cost_file(telemetry_file))
      .append(formats::tsv_header(cost_columns()),
              formats::tsv_line({cost.time, cost.sampler, std::to_string(cost.ticks),
                                 std::to_string(cost.failed), std::to_string(cost.skipped),
                                 text(cost.tick_ms), text(cost.core_pct)}));
}

std::optional<SamplingCost> read_cost(const std::filesystem::path& telemetry_file) {
  std::ifstream in(cost_file(telemetry_file), std::ios::binary);
  if (!in) return std::nullopt;
  formats::RowReader reader(in, cost_file(telemetry_file).string());
  formats::Row row;
  SamplingCost cost;
  double ms = 0, core = 0, core_ticks = 0;
  while (reader.next(row)) {
    const auto at = [&](const char* name) {
      return reader.number_at(row, reader.require_column(name));
    };
    const auto ticks =
        reader.whole_at<std::uint32_t>(row, reader.require_column("ticks")).value_or(0);
    const double count = ticks;
    cost.ticks += ticks;
    ms += count * at("tick_ms").value_or(0);
    if (const auto share = at("core_pct")) {
      core += count * *share;
      core_ticks += count;
    }
  }
  if (cost.ticks == 0) return std::nullopt;
  cost.tick_ms = ms / static_cast<double>(cost.ticks);
  if (core_ticks > 0) cost.core_pct = core / core_ticks;
  return cost;
}

}  // namespace zl::telemetry
