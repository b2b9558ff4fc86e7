#pragma once
// zl-partition's command line: its table of options, and what they say as a plain struct.

#include <optional>
#include <string>
#include <vector>

#include "campaign/partition.hpp"
#include "cli/run_tool.hpp"

namespace zl {

struct PartitionCall {
  campaign::PartitionOptions partition;
  std::vector<std::string> statuses;
  std::vector<campaign::Card> cards;  ///< by --devices or --cards
  std::string devices_from;           ///< "" where not given
  bool all = false;
  std::string input = "-", report_file;
  bool quiet = false;
};

cli::Spec partition_spec();
/// Throws Error(usage). Starts the clock of --time-limit anew each time it is first asked.
PartitionCall read_call(const cli::Context& context);

}  // namespace zl
