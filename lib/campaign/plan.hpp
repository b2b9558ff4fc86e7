#pragma once
// plan.tsv: which device measures which operator, in how many rounds, and when by the estimate.
// Written by zl-partition, read by zl-bench; every further column passes through untouched.

#include <map>
#include <string>
#include <vector>

#include "formats/rows.hpp"

namespace zl::campaign {

/// One operator's share of one device. Without split rounds that is the whole operator.
struct PlanRow {
  std::string device;  ///< index, UUID or PCI bus id, as the plan's maker named it
  std::string host;    ///< "" where the plan has one host only
  std::string op;
  unsigned rounds = 1;
  unsigned first_round = 1;  ///< this row holds rounds first_round … first_round + rounds − 1
  double weight_s = 0;       ///< one round: both sides
  double estimate_s = 0;     ///< all rounds of this row
  double start_s = 0;        ///< after the campaign's start, by the estimates
  std::map<std::string, std::string> fields;  ///< all other columns, by name
};

/// Which columns a plan has beside the six that every plan has.
struct PlanShape {
  bool hosts = false;  ///< column host
  bool split = false;  ///< column first_round
  std::vector<formats::Column> passthrough;
};

/// device op rounds weight_s estimate_s start_s [host] [first_round], then what passes through.
std::vector<formats::Column> plan_columns(const PlanShape& shape);

/// Whether the plan itself writes a column of this name, so that it cannot pass through.
bool is_plan_column(std::string_view name);

/// The plan's own fields of a row, in the order of plan_columns; the caller appends those that
/// pass through.
std::vector<std::string> plan_fields(const PlanRow& row, const PlanShape& shape);

/// Reads a plan. Needs the columns device, op and rounds; absent or empty times are 0. Throws
/// Error(input) with the position of: a missing column, an empty device or operator, rounds that
/// are no whole number from 1 to 1000000, a time that is no number or negative, and an operator
/// that appears twice, unless column first_round makes the rounds of both rows disjoint.
std::vector<PlanRow> read_plan(formats::RowReader& reader);

constexpr unsigned most_rounds = 1'000'000;

}  // namespace zl::campaign
