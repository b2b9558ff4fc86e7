#pragma once
// rows.tsv: what one cell measured. Every provider writes it, the summary reads it.

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "formats/rows.hpp"

namespace zl::formats {

struct MeasuredRow {
  std::string op, dtype, size;
  std::optional<double> latency_ms;      ///< what the switch is judged by; median over `runs`
  std::optional<double> base_ms;         ///< the reference measured beside it (torch); "" for none
  std::string status = "SUCCESS";        ///< SUCCESS or FAILED
  std::string timer;                     ///< of this row: a fallback differs from the cell's timer
  std::optional<double> runs;            ///< timed runs behind latency_ms
  std::optional<double> min_ms, max_ms;  ///< over the runs
  std::optional<double> user_ms, sys_ms, max_rss_kib;  ///< processes only: medians over the runs
  std::string note;                                    ///< comma list: direct, repeat=N, …
};

/// Columns of rows.tsv, in order.
const std::vector<Column>& measured_row_columns();
std::vector<std::string> measured_row_fields(const MeasuredRow& row);

/// One row of a rows table; errors as below.
MeasuredRow read_measured_row(const RowReader& reader, const Row& row);
/// Reads a rows table from either form. Needs `op` and `latency_ms`; other columns may lack.
/// Throws Error(input) with the position of a field that is no number.
std::vector<MeasuredRow> read_measured_rows(RowReader& reader);
std::vector<MeasuredRow> read_measured_rows(const std::filesystem::path& file);
/// Replaces FILE whole.
void write_measured_rows(const std::filesystem::path& file, const std::vector<MeasuredRow>& rows);

constexpr const char* measured_rows_file = "rows.tsv";

}  // namespace zl::formats
