#pragma once
// Whether two runs were measured with the same caliber, so that their latencies may be compared:
// the axes, their rules, the verdict. Works on identities in memory; check.hpp reads folders.

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "formats/run_identity.hpp"

namespace zl::caliber {

/// The axes that must agree: backend device timer bench_level shape_mode tuner_cache
/// direct_repeat, and autotune_mode, which has a rule of its own.
const std::vector<std::string>& axes();

/// What a differing axis has been seen to do to a figure.
std::string_view effect_of(std::string_view axis);

/// Verdicts of an axis. `differs` and `refused` make two runs incomparable.
namespace verdict {
constexpr const char* same = "same";
constexpr const char* normal = "normal";        ///< record against replay
constexpr const char* tolerated = "tolerated";  ///< numbers that differ within the tolerance
constexpr const char* ignored = "ignored";      ///< differs, and the user said it may
constexpr const char* warning = "warning";      ///< does not count, but is worth knowing
constexpr const char* differs = "differs";
constexpr const char* refused = "refused";  ///< record against record
}  // namespace verdict

struct AxisRow {
  std::string axis, before, after, verdict;
  bool mismatch() const { return verdict == verdict::differs || verdict == verdict::refused; }
  /// Nothing to say about it.
  bool usual() const { return verdict == verdict::same || verdict == verdict::normal; }
};

struct Rules {
  std::set<std::string> ignored;                ///< axes that may differ
  std::map<std::string, double> tolerance_pct;  ///< axis → how far its numbers may be apart
};

/// Takes AXIS and AXIS=PCT as given on a command line. Throws Error(usage) for an unknown axis or
/// a tolerance that is no number of at least 0.
Rules parse_rules(const std::vector<std::string>& ignored,
                  const std::vector<std::string>& tolerances);

/// Every axis in order, then whatever differs among driver, shape file, libraries and parameters,
/// as warnings. A device is the same by UUID; where one is not known, by host and index.
std::vector<AxisRow> compare(const formats::RunIdentity& before, const formats::RunIdentity& after,
                             const Rules& rules);
/// The same for two runs of one side in different rounds: the card and the tuner's mode may change.
std::vector<AxisRow> compare_rounds(const formats::RunIdentity& first,
                                    const formats::RunIdentity& later, const Rules& rules);

bool comparable(const std::vector<AxisRow>& rows);

/// 8 hexadecimal digits over the axes that two sides share, without the card and the tuner's mode:
/// figures of one campaign carry one hash.
std::string short_hash(const formats::RunIdentity& identity);

}  // namespace zl::caliber
