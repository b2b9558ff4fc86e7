#pragma once
// A screen row from two ended cells: what failed, else what their generated code says.

#include <filesystem>

#include "campaign/ops_status.hpp"
#include "campaign/screen.hpp"

namespace zl::campaign {

/// Judges the IR that both cells kept below their run folders. A side that did not end OK gives
/// FAILED_*, a side without IR NO_IR: neither is ever "same".
ScreenRow judge_operator(const std::filesystem::path& root, const OpsStatus& before,
                         const OpsStatus& after);

}  // namespace zl::campaign
