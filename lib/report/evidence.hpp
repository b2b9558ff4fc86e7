#pragma once
// What a cell's telemetry says about the figure measured beside it.

#include <filesystem>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/time.hpp"

namespace zl::report {

struct TracePoint {
  WallTime time;
  std::optional<double> sm_clock_mhz, temp_c, power_w;
};

struct Evidence {
  std::size_t samples = 0;
  /// Mean over the readings under load (utilisation of 50 % or more; all where it is not known).
  std::optional<double> clock_mhz, temp_c;
  std::set<std::string> throttle;        ///< reasons that hold clocks, seen in 5 % of readings
  std::optional<double> first_util_pct;  ///< of the reading taken as the cell began
  std::vector<TracePoint> trace;         ///< only when asked for
};

/// Reads a cell's telemetry.tsv for one device index ("" takes every row). Nothing where there is
/// no file or no row. Throws Error(input) on a malformed table.
std::optional<Evidence> read_evidence(const std::filesystem::path& file, const std::string& index,
                                      bool with_trace);

}  // namespace zl::report
