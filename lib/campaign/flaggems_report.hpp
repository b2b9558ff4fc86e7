#pragma once
// What the plugins of lib/pytest reported and what stands in the run's log, read into rows, facts
// and notes.

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "formats/measured_rows.hpp"

namespace zl::campaign {

struct FlagGemsReport {
  std::vector<formats::MeasuredRow> rows;
  std::map<std::string, std::string> libraries;
  std::optional<std::string> mismatch;  ///< what of the device was not as pinned
  std::optional<std::string> poisoned;  ///< the capture attempt that broke the context
  std::vector<std::string> foreign;     ///< other vendors whose modules were loaded
  std::size_t fallbacks = 0;            ///< rows that a capture refused
  std::vector<std::string> notes;       ///< shapes, guards
  std::string error;                    ///< of the first row that failed
};

/// Reads the report's JSON Lines. A last line that a death cut short is passed over; nothing where
/// the file is missing. Throws Error(input) for any other line that is no report.
FlagGemsReport read_flaggems_report(const std::filesystem::path& file);

/// What pytest's log tells where the report tells nothing.
struct PytestLog {
  std::vector<std::string> skips;     ///< reasons, from `-rs`
  std::vector<std::string> tuned;     ///< kernels that Triton or FlagGems tuned
  std::vector<std::string> failures;  ///< `E   …` lines, shortened
};
PytestLog read_pytest_log(const std::filesystem::path& file);

/// Text for a comma list.
std::string without_commas(std::string text);

}  // namespace zl::campaign
