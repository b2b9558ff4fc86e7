#include "campaign/ended_cell.hpp"

#include "campaign/ops_status.hpp"

namespace zl::campaign {

CellResult ended_cell(const process::Outcome& outcome) {
  CellResult result;
  result.exit_code = outcome.exit_code;
  result.status = outcome.stopped            ? status::interrupted
                  : outcome.left_behind != 0 ? status::device_lost
                  : outcome.timed_out        ? status::timeout
                  : outcome.ok()             ? status::ok
                                             : status::failed;
  if (outcome.signal != 0 && !outcome.timed_out && !outcome.stopped)
    result.note = "signal " + std::to_string(outcome.signal);
  if (outcome.left_behind != 0)
    result.note = "process " + std::to_string(outcome.left_behind) +
                  " did not end by SIGKILL and may still use the device";
  return result;
}

}  // namespace zl::campaign
