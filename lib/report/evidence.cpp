#include "report/evidence.hpp"

#include <map>
#include <sstream>

#include "base/files.hpp"
#include "base/text.hpp"
#include "formats/rows.hpp"
#include "telemetry/summary.hpp"

namespace zl::report {

namespace {

constexpr double loaded_pct = 50;
constexpr double throttled_share = 0.05;

struct Reading {
  WallTime time;
  std::optional<double> clock, temp, power, util;
  std::string throttle;
};

std::vector<Reading> read(formats::RowReader& reader, const std::string& index) {
  std::vector<Reading> readings;
  formats::Row row;
  while (reader.next(row)) {
    const auto number = [&](const char* name) -> std::optional<double> {
      const auto column = reader.column(name);
      return column ? reader.number_at(row, *column) : std::nullopt;
    };
    const auto& of = formats::RowReader::field(row, reader.column("index"));
    if (!index.empty() && !of.empty() && of != index) continue;
    Reading reading{{},
                    number("sm_clock_mhz"),
                    number("temp_c"),
                    number("power_w"),
                    number("util_pct"),
                    formats::RowReader::field(row, reader.column("throttle"))};
    if (const auto time = parse_time(formats::RowReader::field(row, reader.column("time"))))
      reading.time = *time;
    readings.push_back(std::move(reading));
  }
  return readings;
}

/// Mean of what is known.
class Mean {
 public:
  void add(const std::optional<double>& value) {
    if (value) sum_ += *value, count_ += 1;
  }
  std::optional<double> value() const {
    return count_ > 0 ? std::optional(sum_ / count_) : std::nullopt;
  }

 private:
  double sum_ = 0, count_ = 0;
};

}  // namespace

std::optional<Evidence> read_evidence(const std::filesystem::path& file, const std::string& index,
                                      bool with_trace) {
  const auto text = try_read_file(file);
  if (!text || text->empty()) return std::nullopt;
  std::istringstream in(*text);
  formats::RowReader reader(in, file.native());
  const auto readings = read(reader, index);
  if (readings.empty()) return std::nullopt;
  Evidence evidence;
  evidence.samples = readings.size();
  evidence.first_util_pct = readings.front().util;
  bool any_loaded = false;
  for (const auto& reading : readings) any_loaded = any_loaded || reading.util >= loaded_pct;
  Mean clock, temp;
  std::map<std::string, std::size_t> reasons;
  std::size_t counted = 0;
  for (const auto& reading : readings) {
    if (with_trace)
      evidence.trace.push_back({reading.time, reading.clock, reading.temp, reading.power});
    if (any_loaded && reading.util && *reading.util < loaded_pct) continue;
    ++counted;
    clock.add(reading.clock);
    temp.add(reading.temp);
    for (const auto reason : split(reading.throttle, ','))
      if (!reason.empty() && reason != "none" && telemetry::holds_clocks(reason))
        ++reasons[std::string(reason)];
  }
  evidence.clock_mhz = clock.value();
  evidence.temp_c = temp.value();
  for (const auto& [reason, count] : reasons)
    if (static_cast<double>(count) >= throttled_share * static_cast<double>(counted))
      evidence.throttle.insert(reason);
  return evidence;
}

}  // namespace zl::report
