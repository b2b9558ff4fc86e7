#include "campaign/judge.hpp"

#include "campaign/ops_status.hpp"
#include "ir/compare.hpp"

namespace zl::campaign {

namespace {

ScreenRow without_artifacts(bool before, bool after, const ir::Criterion& criterion) {
  ScreenRow row;
  row.status = screen_status::no_ir;
  row.criterion = criterion.text();
  row.reason = std::string("no artifacts ") + (!before && !after ? "on either side"
                                               : before          ? "after"
                                                                 : "before");
  return row;
}

}  // namespace

ScreenRow judge_pair(const std::filesystem::path& before_ir, const std::filesystem::path& after_ir,
                     const ir::Criterion& criterion, const ir::ReadOptions& options) {
  std::error_code ignored;
  const bool has_before = std::filesystem::exists(before_ir, ignored);
  const bool has_after = std::filesystem::exists(after_ir, ignored);
  if (!has_before || !has_after) return without_artifacts(has_before, has_after, criterion);
  const auto before = ir::read_tree(before_ir.native(), criterion, options);
  const auto after = ir::read_tree(after_ir.native(), criterion, options);
  const auto verdict = ir::judge(before, after);
  ScreenRow row;
  row.status = verdict.answer == ir::Answer::same        ? screen_status::same
               : verdict.answer == ir::Answer::different ? screen_status::changed
                                                         : screen_status::no_ir;
  row.kernels_before = verdict.kernels_before;
  row.kernels_after = verdict.kernels_after;
  row.cvt_before = verdict.conversions_before;
  row.cvt_after = verdict.conversions_after;
  row.criterion = verdict.criterion;
  row.reason = verdict.reason;
  if (verdict.answer == ir::Answer::same) {
    const auto shared = ir::shared_cache_keys(before, after);
    if (!shared.empty())
      row.reason = std::string(status::not_effective) + ": " + std::to_string(shared.size()) +
                   " of " + std::to_string(verdict.kernels_after) +
                   " kernels under the same cache key on both sides";
  }
  return row;
}

std::vector<std::string> shared_cache_keys(const std::filesystem::path& before_cache,
                                           const std::filesystem::path& after_cache,
                                           const ir::Criterion& criterion) {
  ir::ReadOptions names;
  names.names_only = true;
  return ir::shared_cache_keys(ir::read_tree(before_cache.native(), criterion, names),
                               ir::read_tree(after_cache.native(), criterion, names));
}

}  // namespace zl::campaign
