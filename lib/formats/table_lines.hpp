#pragma once
// The three kinds of lines in a FlagGems table: title, header, row. Cells have no separator but
// their width, and a row may hold more columns than its header, so a row is read from its fixed
// front and from the bracket that opens the size detail, never by splitting the whole line.

#include <optional>
#include <string>
#include <string_view>

namespace zl::formats {

struct TableTitle {
  std::string op, dtype, mode, level;  ///< mode and level are "" in releases that lack them
};

/// `Operator: abs  Performance Test (dtype=torch.float16, mode=kernel,level=core)`, wherever it
/// stands in the line, and the forms of older releases.
std::optional<TableTitle> parse_table_title(std::string_view line);

struct TableHeader {
  bool size_first = false;  ///< `Size … Latency`, the form before `Status` and `Size Detail`
  bool has_size_detail = false;
  int base_column = -1;  ///< positions among the columns after the first; -1: not there
  int latency_column = -1;
};

std::optional<TableHeader> parse_table_header(std::string_view line);

struct TableRow {
  std::string_view status;  ///< "SUCCESS" or what else stands there
  std::optional<double> base_ms, latency_ms;
  std::string_view size;
  bool complete = false;  ///< false: the line was cut off before its end
};

/// Nothing where the line is no row of a table with this header.
std::optional<TableRow> parse_table_row(std::string_view line, const TableHeader& header);

/// `line` without colour codes and other escape sequences, and without what a carriage return
/// has overwritten. `buffer` holds the text where something had to go.
std::string_view plain_line(std::string_view line, std::string& buffer);

}  // namespace zl::formats
