#pragma once
// The `command` provider: any program, timed as a process, or trusted to print latency rows.

#include <memory>
#include <string>
#include <vector>

#include "campaign/provider.hpp"

namespace zl::campaign {

struct CommandOptions {
  /// Split words; `{op} {dtype} {side} {out}` are substituted inside each word. {dtype} is the
  /// plan's column of that name, {out} the cell's folder.
  std::vector<std::string> command;
  unsigned runs = 10;             ///< timed runs a cell
  unsigned warmup = 1;            ///< untimed runs before them
  bool rows_from_stdout = false;  ///< the program times itself and prints rows; it runs once
};

/// Timed as a process, a cell gives one row: the median wall time over the runs, with user and
/// system time and peak memory by rusage. A run that fails ends the cell.
std::unique_ptr<Provider> make_command_provider(CommandOptions options);

}  // namespace zl::campaign
