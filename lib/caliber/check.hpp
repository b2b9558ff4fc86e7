#pragma once
// Calibers of runs on disk: two folders, or a campaign's root whole.

#include <cstddef>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "caliber/caliber.hpp"
#include "campaign/run_folder.hpp"

namespace zl::caliber {

/// A run and what is known of its conditions.
struct Run {
  std::string name;  ///< for messages
  std::optional<formats::RunIdentity> identity;
  std::string problem;  ///< why there is no identity
};

/// Reads the identity in a run's folder, a run_identity.json, or the one beside a log. Never
/// throws: a missing or unreadable identity, or one without a backend, is a problem, which makes
/// the run incomparable.
Run read_run(const std::filesystem::path& folder_or_file);

/// As compare; a missing identity is a row `identity` that differs.
std::vector<AxisRow> compare_runs(const Run& before, const Run& after, const Rules& rules);

/// What was found between two runs of a root, or of two lists.
struct Finding {
  std::string before, after;  ///< names of the runs
  AxisRow row;
};

struct CellRun {
  campaign::Cell cell;
  Run run;
};

struct Check {
  std::size_t pairs = 0;                      ///< rounds of which both sides are there
  std::vector<Finding> findings;              ///< mismatches and warnings, and what was let pass
  std::map<std::string, std::size_t> hashes;  ///< caliber → runs
  bool comparable() const;
};

/// Both sides of every round against each other, and each side's rounds against its first.
Check check_cells(const std::vector<CellRun>& cells, const Rules& rules);

/// Reads all identities of a root on several threads. Throws Error(environment) when the root
/// cannot be read, Error(input) when it holds no cell.
std::vector<CellRun> read_cells(const std::filesystem::path& root);

/// For people: one line a distinct mismatch, or a distinct warning or exception, with how often
/// it was found and where first. What is the same is no finding.
std::vector<std::string> describe(const std::vector<Finding>& findings, bool mismatches);

}  // namespace zl::caliber
