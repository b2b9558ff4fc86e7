#pragma once
// The axes on which two runs must agree before their figures may stand in one ratio, and the facts
// whose change is worth a warning.

#include <string>
#include <vector>

#include "formats/run_identity.hpp"

namespace zl::caliber {

/// A named value of an identity, as text; "" where it is not known.
struct Fact {
  std::string name;
  std::string value;
};

/// backend, device, timer, bench_level, shape_mode (with the shape file's hash in mode file),
/// tuner_cache, direct_repeat: equal on both sides, or the runs have different calibers. A device
/// is its UUID, or host and index where no UUID is known; its model alone with `model_only`.
std::vector<Fact> axes_of(const formats::RunIdentity& identity, bool model_only = false);

/// What does not decide but explains: op, test_node, provider, driver, tool_version, each library
/// (library.NAME, the compiler's fingerprint among them) and each parameter (parameter.NAME).
std::vector<Fact> watched_of(const formats::RunIdentity& identity);

/// Names of the axes, autotune_mode included.
const std::vector<std::string>& axis_names();

/// Eight hexadecimal digits over the axes: two cells with one hash have one caliber.
std::string caliber_hash(const formats::RunIdentity& identity);

/// What a mismatch on this axis has been seen to do to a figure, and what pins the axis; "" for a
/// name that is no axis. Figures are measured ones; each names its operator.
std::string explain(const std::string& axis);

}  // namespace zl::caliber
