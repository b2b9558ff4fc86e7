#include "campaign/judge.hpp"

#include "base/error.hpp"
#include "ir/compare.hpp"

namespace zl::campaign {

namespace {

const char* failure_of(const OpsStatus& before, const OpsStatus& after) {
  const bool before_failed = before.status != status::ok;
  const bool after_failed = after.status != status::ok;
  if (before_failed && after_failed) return screen_status::failed_both;
  if (before_failed) return screen_status::failed_before;
  return after_failed ? screen_status::failed_after : nullptr;
}

std::string reason_of(const OpsStatus& failed) {
  auto reason = failed.status;
  if (failed.exit_code) reason += " exit " + std::to_string(*failed.exit_code);
  return failed.note.empty() ? reason : reason + ": " + failed.note;
}

/// An ir/ that is not there holds no kernel.
ir::Tree tree_of(const std::filesystem::path& cell, const ir::Criterion& criterion) {
  const auto folder = cell / ir_folder;
  std::error_code ec;
  if (std::filesystem::is_directory(folder, ec)) return ir::read_tree(folder.native(), criterion);
  ir::Tree none;
  none.criterion = criterion;
  return none;
}

void fill_verdict(ScreenRow& row, const ir::Verdict& verdict) {
  row.kernels_before = verdict.kernels_before;
  row.kernels_after = verdict.kernels_after;
  row.cvt_before = verdict.conversions_before;
  row.cvt_after = verdict.conversions_after;
  row.criterion = verdict.criterion;
  row.reason = verdict.reason;
  switch (verdict.answer) {
    case ir::Answer::same: row.status = screen_status::same; break;
    case ir::Answer::different: row.status = screen_status::changed; break;
    case ir::Answer::none: row.status = screen_status::no_ir; break;
  }
}

}  // namespace

ScreenRow judge_operator(const std::filesystem::path& root, const OpsStatus& before,
                         const OpsStatus& after) {
  ScreenRow row;
  row.op = before.cell.op;
  row.elapsed_before_s = before.elapsed_s;
  row.elapsed_after_s = after.elapsed_s;
  if (const auto* failure = failure_of(before, after)) {
    row.status = failure;
    row.reason = reason_of(before.status == status::ok ? after : before);
    return row;
  }
  try {
    const ir::Criterion criterion;
    fill_verdict(row, ir::judge(tree_of(cell_folder(root, before.cell), criterion),
                                tree_of(cell_folder(root, after.cell), criterion)));
  } catch (const Error& error) {
    row.status = screen_status::no_ir;
    row.reason = error.what();
  }
  return row;
}

}  // namespace zl::campaign
