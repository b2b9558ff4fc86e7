#pragma once
// Judging every operator of a root again, from the artifacts that its cells kept.

#include <filesystem>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "campaign/screen.hpp"
#include "ir/criterion.hpp"
#include "process/stop.hpp"

namespace zl::campaign {

struct RescoreOptions {
  ir::Criterion criterion;
  unsigned threads = 1;
  bool dry_run = false;  ///< writes nothing
  process::StopToken stop;
};

struct RescoredOperator {
  std::string op;
  std::string old_status;   ///< "" where the old table did not name it
  ScreenRow row;            ///< as it stands in the new table
  bool kept = false;        ///< not judged: the old row stays; row.reason is the old one
  bool unreadable = false;  ///< … because its artifacts could not be read
  std::string note;         ///< why it was kept
};

struct RescoreResult {
  std::vector<RescoredOperator> operators;  ///< the old table's order, then new ones by name
  std::filesystem::path original;           ///< where the old table was kept; empty for none
  bool interrupted = false;                 ///< nothing was written
  /// Operators by old and new status.
  std::map<std::pair<std::string, std::string>, std::size_t> transitions() const;
};

/// Judges the lowest round of each operator that has artifacts, and replaces ROOT/screen.tsv whole;
/// the old table is kept as screen.tsv.orig, or the first of .orig.1, .orig.2, … that is free.
/// A side whose cell failed (ops_status.tsv, else its identity's exit code) is FAILED_…; an
/// operator without artifacts keeps its old row. Columns that are not the screen's own pass
/// through. Throws Error(input) for a root without operators or a malformed table,
/// Error(environment) when it cannot write.
RescoreResult rescore(const std::filesystem::path& root, const RescoreOptions& options);

}  // namespace zl::campaign
