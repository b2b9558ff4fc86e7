#pragma once
// What a summary is made from: the cells of one or more roots, or two runs named by hand.

#include <filesystem>
#include <string>
#include <vector>

#include "caliber/check.hpp"
#include "campaign/run_folder.hpp"
#include "report/exclusions.hpp"

namespace zl::report {

/// One measured cell and the files that hold its rows.
struct Source {
  campaign::Cell cell;  ///< op "" where a run of several operators was named by hand
  caliber::Run run;
  std::vector<std::filesystem::path> files;
  std::filesystem::path telemetry;  ///< may not exist
  std::string status, note, timer;  ///< of the ledger
};

struct Sources {
  std::vector<Source> cells;  ///< in the order of list_cells; those that do not count left out
  Exclusions excluded;
  std::map<std::string, std::set<std::string>> op_notes;  ///< operator → SWITCH_NO_IR_DIFF, …
  std::vector<std::string> roots;
  bool by_hand = false;  ///< BEFORE AFTER
};

/// One root or several shards of one campaign, or BEFORE AFTER: folders of one run, folders of
/// logs, or log files. Throws Error(usage) for a mixture, Error(input) where nothing is found.
Sources find_sources(const std::vector<std::string>& operands);

/// The caliber of everything that takes part, before any latency is read.
caliber::Check check_sources(const Sources& sources, const caliber::Rules& rules);

}  // namespace zl::report
