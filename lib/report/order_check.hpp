#pragma once
// Whether the figures depend on when they were measured: a trend over rounds, or an effect of
// which side ran first.

#include "report/summary.hpp"

namespace zl::report {

struct OrderRow {
  std::string op;
  std::string check;  ///< speedup over rounds, latency over rounds, side that ran first
  std::size_t rounds = 0;
  double effect_pct = 0;  ///< per round; for the side that ran first: before first less after first
  double p = 1;
  std::string verdict;  ///< none, or trend or order where the adjusted p value is at most 5 %
};

/// Per operator, over the mean of its rows in each round. An operator with fewer than four rounds
/// cannot be checked and has no row. Slopes by least squares, p values by Student's t, adjusted
/// over all checks (Benjamini, Hochberg).
std::vector<OrderRow> check_order(const Summary& summary, const Measurements& measurements);

}  // namespace zl::report
