#pragma once
// May two runs be compared? Every axis on which they differ is named with both values.

#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "formats/run_identity.hpp"

namespace zl::caliber {

enum class Verdict {
  same,
  differs,    ///< a mismatch
  refused,    ///< autotune_mode: both sides recorded; a mismatch
  tolerated,  ///< differs within the tolerance that was asked for
  ignored,    ///< differs on an axis that was asked to be ignored
  warning,    ///< differs, or is risky, without being a mismatch
};
const char* verdict_name(Verdict verdict);

struct AxisVerdict {
  std::string axis, before, after;
  Verdict verdict = Verdict::same;
};

/// What a user knows better.
struct Rules {
  std::set<std::string> ignored;                ///< axes
  std::map<std::string, double> tolerance_pct;  ///< numeric axes: |after/before − 1|·100
  bool model_only = false;  ///< a device is its model: for rounds on several cards of one model
};

struct Comparison {
  std::vector<AxisVerdict> axes;  ///< all axes, then what warns
  bool comparable() const;
  bool warns() const;
};

/// autotune_mode is judged apart: record with replay either way round, replay with replay and off
/// with off may be compared; record with record is refused; anything else differs. Recording on a
/// shared tuner cache warns.
Comparison compare(const formats::RunIdentity& before, const formats::RunIdentity& after,
                   const Rules& rules = {});

/// As compare, for two cells' folders. An identity that is missing or cannot be read is a
/// mismatch on the axis `identity`, with the reason as its value.
Comparison compare_folders(const std::filesystem::path& before, const std::filesystem::path& after,
                           const Rules& rules = {});

/// One comparison of a root: the two sides of a round, or a round with the operator's first.
struct RootComparison {
  std::string op;
  unsigned round = 0;
  std::string pair;  ///< "before:after", or "before:before" and "after:after" over rounds
  Comparison comparison;
};

/// Compares all that a summary of the root would put together: both sides of every round, and each
/// round's sides with those of the operator's first round (there a device is its model). Rounds
/// that have one side only are passed over. Throws Error(environment) when the root cannot be read.
std::vector<RootComparison> compare_root(const std::filesystem::path& root,
                                         const Rules& rules = {});

/// `!!! [caliber] …`, one line a comparison that is a mismatch; "" for none.
std::string mismatch_line(const Comparison& comparison);
/// `warning: …`, one line for all that warns; "" for none.
std::string warning_line(const Comparison& comparison);

}  // namespace zl::caliber
