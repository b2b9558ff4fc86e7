#include "campaign/judge.hpp"

namespace zl::campaign {

ScreenRow judge_operator(const std::filesystem::path&, const OpsStatus& before,
                         const OpsStatus& after) {
  ScreenRow row;
  row.op = before.cell.op;
  row.elapsed_before_s = before.elapsed_s;
  row.elapsed_after_s = after.elapsed_s;
  row.status = screen_status::no_ir;
  return row;
}

}  // namespace zl::campaign
