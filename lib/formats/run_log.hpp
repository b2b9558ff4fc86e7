#pragma once
// What a program printed while it was measured, read into rows: FlagGems tables of every release,
// its `--record log` lines and `--record json` reports, and rows as TSV or JSON Lines, alone or
// among other output. Tolerant: what looks like a row and cannot be used is counted and named.

#include <cstddef>
#include <filesystem>
#include <istream>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "formats/measured_rows.hpp"

namespace zl::formats {

/// Lines of one kind that could not be used.
struct DroppedLines {
  std::size_t count = 0;
  std::size_t first_line = 0;  ///< 1-based
  std::string example;         ///< what stood there, shortened
};

/// What a reader saw beside the rows.
struct Diagnostics {
  std::map<std::string, DroppedLines> dropped;  ///< by reason
  std::set<std::string> modes, levels;          ///< FlagGems' own words: kernel, core, …
  std::map<std::string, std::string> failures;  ///< operator → reason, from a record json report

  void drop(const std::string& reason, std::size_t line, std::string_view example);
};

/// Rows in the order of the log. A row without a latency (N/A) has none, one that failed says so
/// in its status; the caller decides what counts. Where a log holds an operator and dtype both as
/// a table and as a record line, the record line is taken, for its full precision.
/// `name` is what messages call the input. Throws Error(input) with the position only where the
/// whole text is one JSON document that is malformed.
std::vector<MeasuredRow> read_run_log(std::string_view bytes, const std::string& name,
                                      Diagnostics& diagnostics);
std::vector<MeasuredRow> read_run_log(std::istream& in, const std::string& name,
                                      Diagnostics& diagnostics);
/// Throws Error(environment) when the file cannot be read.
std::vector<MeasuredRow> read_run_log(const std::filesystem::path& file, Diagnostics& diagnostics);

}  // namespace zl::formats
