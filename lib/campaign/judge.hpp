#pragma once
// One operator's verdict from the artifacts of its two cells.

#include <filesystem>
#include <string>
#include <vector>

#include "campaign/screen.hpp"
#include "ir/tree.hpp"

namespace zl::campaign {

/// Compares two `ir` folders (artifacts or raw Triton caches, also tars) and fills status
/// (IR_CHANGED, IR_SAME or NO_IR), the counts, criterion and reason; `op` and the times are the
/// caller's. A folder that is not there, and a kernel that was cut short, is NO_IR with its
/// reason. Where both sides hold the same kernels under the same cache keys and nothing differs,
/// the reason begins with SWITCH_NOT_EFFECTIVE. Throws Error(input) naming what cannot be read.
ScreenRow judge_pair(const std::filesystem::path& before_ir, const std::filesystem::path& after_ir,
                     const ir::Criterion& criterion = {}, const ir::ReadOptions& options = {});

/// `KEY/kernel` of each kernel that stands under one cache key in both raw caches; reads names
/// only. With a cache for each side, any means that the switch is not in the key or was not read.
std::vector<std::string> shared_cache_keys(const std::filesystem::path& before_cache,
                                           const std::filesystem::path& after_cache,
                                           const ir::Criterion& criterion = {});

}  // namespace zl::campaign
