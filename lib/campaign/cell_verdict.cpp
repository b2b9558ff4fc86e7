#include "campaign/cell_verdict.hpp"

#include "base/error.hpp"
#include "campaign/judge.hpp"

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

ScreenRow verdict_of(const std::filesystem::path& root, const OpsStatus& before,
                     const OpsStatus& after) {
  ScreenRow row;
  if (const auto* failure = failure_of(before, after)) {
    row.status = failure;
    row.reason = reason_of(before.status == status::ok ? after : before);
    return row;
  }
  try {
    return judge_pair(cell_folder(root, before.cell) / ir_folder,
                      cell_folder(root, after.cell) / ir_folder);
  } catch (const Error& error) {
    row.status = screen_status::no_ir;
    row.reason = error.what();
    return row;
  }
}

}  // namespace

ScreenRow judge_operator(const std::filesystem::path& root, const OpsStatus& before,
                         const OpsStatus& after) {
  auto row = verdict_of(root, before, after);
  row.op = before.cell.op;
  row.elapsed_before_s = before.elapsed_s;
  row.elapsed_after_s = after.elapsed_s;
  return row;
}

}  // namespace zl::campaign
