#pragma once
// Rows in which both sides of at least one round were measured.

#include "report/summary.hpp"

namespace zl::report {

/// Fills the identity and the pairs of each row; what finds no partner is excluded by name.
std::vector<SummaryRow> pair_rows(const Measurements& measurements, Exclusions& excluded);

}  // namespace zl::report
