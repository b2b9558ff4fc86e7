#pragma once
// screen.tsv: one row an operator, saying whether the switch changed its generated code and what
// a pair of cells costs.

#include <optional>
#include <string>
#include <vector>

#include "formats/rows.hpp"

namespace zl::campaign {

namespace screen_status {
constexpr const char* changed = "IR_CHANGED";
constexpr const char* same = "IR_SAME";
constexpr const char* no_ir = "NO_IR";
constexpr const char* failed_before = "FAILED_BEFORE";
constexpr const char* failed_after = "FAILED_AFTER";
constexpr const char* failed_both = "FAILED_BOTH";
}  // namespace screen_status

struct ScreenRow {
  std::string op, status;
  std::optional<std::size_t> kernels_before, kernels_after, cvt_before, cvt_after;
  std::optional<double> elapsed_before_s, elapsed_after_s;
  std::string criterion;  ///< irfp/1 with its parameters; "" without a verdict
  std::string reason;
};

/// Columns of screen.tsv, in the order of the design.
const std::vector<formats::Column>& screen_columns();
std::vector<std::string> screen_fields(const ScreenRow& row);

}  // namespace zl::campaign
