#pragma once
// ops_status.tsv: one line a cell that ended, however it ended; appended as cells end and the
// ledger that --resume trusts.

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "campaign/run_folder.hpp"
#include "formats/rows.hpp"

namespace zl::campaign {

/// Statuses of a cell. OK is the only one whose rows count.
namespace status {
constexpr const char* ok = "OK";
constexpr const char* failed = "FAILED";            ///< non-zero exit, a signal, or no usable row
constexpr const char* timeout = "TIMEOUT";          ///< ended at its deadline
constexpr const char* interrupted = "INTERRUPTED";  ///< the campaign was stopped; run again
constexpr const char* device_lost = "DEVICE_LOST";  ///< vanished, or a program sticks in it
constexpr const char* skipped = "SKIPPED";          ///< not run: the operator failed before
constexpr const char* replay_miss = "REPLAY_MISS";  ///< measured, but something was tuned anew
constexpr const char* no_ir_diff = "SWITCH_NO_IR_DIFF";        ///< remaining rounds skipped
constexpr const char* not_effective = "SWITCH_NOT_EFFECTIVE";  ///< same key, same code: not read
}  // namespace status

struct OpsStatus {
  Cell cell;
  std::string device;  ///< index
  std::string status;
  std::optional<int> exit_code;
  std::size_t rows = 0;
  double elapsed_s = 0;
  std::string backend, timer, note;
  std::string run_dir;  ///< relative to the root
};

const std::vector<formats::Column>& ops_status_columns();
std::vector<std::string> ops_status_fields(const OpsStatus& row);
/// Reads a ledger; a last line that a crash cut short is passed over. Throws Error(input).
std::vector<OpsStatus> read_ops_status(const std::filesystem::path& file);

}  // namespace zl::campaign
