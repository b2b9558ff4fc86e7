#pragma once
// The verdict on every row: medians over rounds, speedup with its interval, each side's noise,
// the notes that belong beside the figure; and the same per operator.

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "report/measurements.hpp"

namespace zl::report {

struct SummaryOptions {
  double min_effect_pct = 1;  ///< a smaller change is `same`
  double confidence = 0.95;   ///< of the interval; 1 - confidence is the share of false findings
  double clock_drop_pct = 3;  ///< below the median clock of the operator's cells
  double temp_drift_c = 5;    ///< between the sides of a pair
  bool comparable = true;     ///< false: every row is labelled non-comparable
};

namespace verdict {
constexpr const char* faster = "faster";
constexpr const char* slower = "slower";
constexpr const char* same = "same";
constexpr const char* unclear = "unclear";
constexpr const char* non_comparable = "non-comparable";
}  // namespace verdict

/// Fewer rounds give figures without an interval.
constexpr std::size_t fewest_rounds = 3;

/// Both sides of one round; indices into Measurements::cells.
struct RoundPair {
  unsigned round = 0;
  std::uint32_t before_cell = 0, after_cell = 0;
  double before_ms = 0, after_ms = 0;
  std::uint32_t before_note = 0, after_note = 0;
};

struct SummaryRow {
  std::string op, dtype, size, cell_op;
  unsigned occurrence = 1;
  std::vector<RoundPair> pairs;                         ///< sorted by round
  double before_ms = 0, after_ms = 0, speedup_pct = 0;  ///< medians, and their ratio
  std::optional<double> ci_low_pct, ci_high_pct, noise_before_pct, noise_after_pct;
  std::string verdict;
  std::vector<std::string> notes;
};

struct OperatorSummary {
  std::string op;
  std::size_t rows = 0, faster = 0, slower = 0, same = 0, unclear = 0, non_comparable = 0;
  double least_pct = 0, most_pct = 0, geomean_pct = 0;
  std::vector<std::string> notes;
};

struct Summary {
  std::vector<SummaryRow> rows;  ///< in order of the logs
  std::vector<OperatorSummary> operators;
  std::optional<double> geomean_pct;  ///< over all rows
  std::optional<double> timer_step_ms;
  Exclusions excluded;
  std::map<std::string, std::size_t> calibers;  ///< hash → runs
};

Summary summarise(const Sources& sources, const Measurements& measurements,
                  const SummaryOptions& options);

}  // namespace zl::report
