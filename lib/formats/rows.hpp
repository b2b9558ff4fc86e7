#pragma once
// The row model of every tool: one header, fields by column name, in TSV or in JSON Lines.
// Reading is streaming and has no row limit; every error names file, line and column.

#include <cstdint>
#include <istream>
#include <map>
#include <memory>
#include <optional>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.hpp"
#include "base/number.hpp"

namespace zl::formats {

/// How a column's fields appear in JSON. `automatic` (columns that merely pass through) writes a
/// number where the field reads as one.
enum class ColumnType { text, number, automatic };

struct Column {
  std::string name;
  ColumnType type = ColumnType::automatic;
};

/// One row; `fields` follow the reader's columns, unescaped. A field that is empty is not known.
struct Row {
  std::vector<std::string> fields;
  std::size_t line = 0;                     ///< 1-based
  std::vector<std::uint32_t> field_column;  ///< 1-based byte column of each field; JSON: 0
};

/// Reads rows in either form: JSON Lines when the first byte (after a byte order mark and blanks)
/// is `{`, else TSV with a header line. Accepts CRLF, a missing last newline, and a byte order
/// mark. Blank lines are skipped. With JSON Lines, columns are the keys in order of first
/// appearance; the list may grow while reading, to 4096. Blanks around a column's name are no part
/// of it.
class RowReader {
 public:
  /// `name` is what messages call the input ("-" for standard input reads as "<stdin>").
  RowReader(std::istream& in, std::string name);

  const std::vector<std::string>& columns() const { return columns_; }
  std::optional<std::size_t> column(std::string_view name) const;
  /// Throws Error(input) naming the columns that are there.
  std::size_t require_column(std::string_view name) const;

  /// False at the end. Throws Error(input) on a row with more or fewer fields than the header,
  /// a bad escape, or malformed JSON; Error(environment) when reading itself fails.
  bool next(Row& row);

  /// The field of a column by name; "" where the row or the table has none.
  static const std::string& field(const Row& row, std::optional<std::size_t> column);

  /// An error at a field of a row, with file, line and column (JSON: the pointer to the member).
  Error error_at(const Row& row, std::size_t column, const std::string& message) const;

  /// A field as a number. Throws error_at for anything else; nothing for an empty field.
  std::optional<double> number_at(const Row& row, std::size_t column) const;
  /// A field as a whole number that Integer holds. Throws error_at for anything else; nothing for
  /// an empty field.
  template <typename Integer>
  std::optional<Integer> whole_at(const Row& row, std::size_t column) const {
    const auto number = number_at(row, column);
    if (!number) return std::nullopt;
    if (const auto whole = as_whole<Integer>(*number)) return whole;
    throw not_whole(row, column);
  }

  bool is_json() const { return json_; }
  bool has_header() const { return !columns_.empty(); }

 private:
  bool next_line();
  void read_header();
  void unescape(std::string& field, std::size_t at) const;
  void split_fields(Row& row, bool header);
  void read_object(Row& row);
  void add_column(std::string name);
  Error not_whole(const Row& row, std::size_t column) const;

  std::istream& in_;
  std::string name_;
  std::vector<std::string> columns_;
  std::map<std::string, std::size_t, std::less<>> positions_;  ///< of columns_
  std::string line_;
  std::string pending_;  ///< JSON: the first line, read to tell the form
  std::size_t line_number_ = 0;
  bool json_ = false;
  bool pending_line_ = false;
};

enum class RowFormat { tsv, json_lines };

/// Writes rows of fixed columns. TSV writes its header at construction.
class RowWriter {
 public:
  RowWriter(std::ostream& out, std::vector<Column> columns, RowFormat format);
  /// `fields` must have one entry a column (checked: a mismatch is a programming error).
  void write(const std::vector<std::string>& fields);

 private:
  std::ostream& out_;
  std::vector<Column> columns_;
  RowFormat format_;
  std::string buffer_;
};

/// Appends a field with `\t \n \r \\` escaped, and other control characters as `\xNN`: a row on a
/// terminal moves nothing.
void append_tsv_field(std::string& out, std::string_view field);
/// How long the escape is that `text` begins with, and the byte it stands for; 0 for none.
std::size_t tsv_escape(std::string_view text, char& byte);
/// The inverse; what is no escape stays as it is.
std::string unescaped_tsv_field(std::string_view field);
/// One TSV line with its newline.
std::string tsv_line(const std::vector<std::string>& fields);
/// One JSON Lines line with its newline; empty fields are null.
std::string json_line(const std::vector<Column>& columns, const std::vector<std::string>& fields);
/// The header line of a TSV table, with its newline.
std::string tsv_header(const std::vector<Column>& columns);

/// Text columns from their names, for tables in which every field is text.
std::vector<Column> text_columns(std::initializer_list<const char*> names);

}  // namespace zl::formats
