#pragma once
// What belongs beside a figure: how it was timed, and what the card did meanwhile.

#include "report/summary.hpp"

namespace zl::report {

/// Notes of the cells that hold for every row measured there: clocks, throttling, heat, other
/// work on the card. Made once for all rows of an operator.
class CellNotes {
 public:
  CellNotes(const Measurements& measurements, const SummaryOptions& options);
  /// For the pairs of one row; the same texts for every row of the same cells.
  std::vector<std::string> of(const SummaryRow& row) const;

 private:
  const Measurements& measurements_;
  const SummaryOptions& options_;
  std::vector<std::string> by_cell_;  ///< "" for nothing to say
};

/// Notes of the rows themselves (`direct`, `repeat=N`, …), with the side where only one has it.
std::vector<std::string> timing_notes(const SummaryRow& row, const Measurements& measurements);

/// Whether one side was timed by the fallback and the other was not, in any round.
bool timed_differently(const SummaryRow& row, const Measurements& measurements);

}  // namespace zl::report
