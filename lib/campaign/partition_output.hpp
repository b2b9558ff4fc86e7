#pragma once
// A partition as rows of plan.tsv, and what it is worth in words and as JSON.

#include <boost/json/fwd.hpp>
#include <ostream>
#include <string>
#include <vector>

#include "campaign/partition.hpp"
#include "campaign/work_list.hpp"

namespace zl::campaign {

/// "lpt", "hash", "optimal"
const char* algorithm_name(Algorithm algorithm);

/// What the writers need to know together.
struct PartitionReport {
  const WorkList& work;
  const std::vector<Card>& cards;
  const PartitionOptions& options;
  const Partition& partition;
};

/// Card by card in the order of start. A column `host` where any card has one.
void write_plan(std::ostream& out, const PartitionReport& report, formats::RowFormat format);

/// One object: what was asked, makespan_s, ideal_s, floor_s, floor_op, hash_makespan_s,
/// lower_bound_s, gap_pct, optimal, left_out by status, and the load of each device.
boost::json::value report_json(const PartitionReport& report);

/// The same for people, one line each.
std::vector<std::string> report_lines(const PartitionReport& report);

}  // namespace zl::campaign
