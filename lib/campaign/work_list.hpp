#pragma once
// The operators that a table (screen.tsv, or any with the needed columns) asks to be measured,
// with what a round of each takes, kept compactly: a million rows are a usual stress.

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "campaign/partition.hpp"
#include "formats/rows.hpp"

namespace zl::campaign {

/// Bytes kept at stable addresses.
class TextStore {
 public:
  std::string_view keep(std::string_view text);

 private:
  std::vector<std::unique_ptr<char[]>> blocks_;
  std::size_t used_ = 0, size_ = 0;  ///< of the last block
};

struct WorkList {
  std::vector<Job> jobs;                        ///< in the table's order
  std::vector<formats::Column> passthrough;     ///< the table's columns that a plan does not write
  std::map<std::string, std::size_t> left_out;  ///< status → rows
  TextStore text;

  /// Appends the fields of a job that pass through, one a column.
  void append_fields(std::size_t job, std::vector<std::string>& to) const;
  /// The same as TSV, each field led by a tab.
  void append_tsv(std::size_t job, std::string& to) const;

  /// Asks the processor to fetch what says where a job's text lies, or (once that is there) the
  /// text itself.
  void prefetch(std::size_t job) const;
  void prefetch_text(std::size_t job) const;

  std::vector<std::string_view> records;  ///< per job: its fields as TSV
  std::vector<std::uint32_t> fields;      ///< per job: how many; JSON may add columns later
};

/// Reads the rows whose status is one of `statuses`; all, where there is no column `status`. The
/// weight is elapsed_before + elapsed_after, or weight_s where there are no such columns. Throws
/// Error(input) with the position of: a missing column, an empty name, an operator that appears
/// twice in the table, and, in the rows taken, a weight that is missing, no number, negative or
/// above 1e9 seconds.
WorkList read_work(formats::RowReader& reader, const std::vector<std::string>& statuses);

}  // namespace zl::campaign
