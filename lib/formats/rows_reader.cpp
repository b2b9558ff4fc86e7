#include <algorithm>
#include <boost/json.hpp>

#include "base/number.hpp"
#include "base/text.hpp"
#include "formats/json.hpp"
#include "formats/rows.hpp"

namespace zl::formats {

namespace {
constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
/// A row costs its columns, so keys that are new in every row would cost their square.
constexpr std::size_t most_json_columns = 4096;
}  // namespace

RowReader::RowReader(std::istream& in, std::string name)
    : in_(in), name_(name == "-" ? "<stdin>" : std::move(name)) {
  read_header();
}

bool RowReader::next_line() {
  if (pending_line_) {
    pending_line_ = false;
    return true;
  }
  do {
    if (!std::getline(in_, line_)) {
      if (in_.bad()) throw environment_error("cannot read " + printable(name_));
      return false;
    }
    ++line_number_;
    if (!line_.empty() && line_.back() == '\r') line_.pop_back();
    if (line_number_ == 1 && line_.starts_with(byte_order_mark)) line_.erase(0, 3);
    // A row whose fields are all empty is a row; a line of nothing is a blank line.
  } while (line_.empty());
  return true;
}

void RowReader::read_header() {
  if (!next_line()) return;
  const auto text = trim(line_);
  if (text.starts_with('{')) {
    json_ = true;
    pending_line_ = true;
    return;
  }
  Row header;
  split_fields(header, true);
  for (std::size_t i = 0; i < header.fields.size(); ++i) {
    if (positions_.contains(header.fields[i]))
      throw input_error({name_, line_number_, header.field_column[i]},
                        "column " + in_quotes(header.fields[i]) + " appears twice");
    add_column(std::move(header.fields[i]));
  }
}

void RowReader::add_column(std::string name) {
  positions_.emplace(name, columns_.size());
  columns_.push_back(std::move(name));
}

bool RowReader::next(Row& row) {
  if (!next_line()) return false;
  row.line = line_number_;
  if (json_) {
    read_object(row);
  } else {
    split_fields(row, false);
    if (row.fields.size() != columns_.size())
      throw input_error({name_, line_number_, row.field_column.back()},
                        "expected " + std::to_string(columns_.size()) + " fields, got " +
                            std::to_string(row.fields.size()));
  }
  return true;
}

/// Replaces the escapes of a field that begins at byte `at` of the line.
void RowReader::unescape(std::string& field, std::size_t at) const {
  std::size_t kept = 0;
  for (std::size_t i = 0; i < field.size(); ++i) {
    char c = field[i];
    if (c == '\\') {
      const auto length = tsv_escape(std::string_view(field).substr(i), c);
      if (length == 0)
        throw input_error({name_, line_number_, at + i + 1},
                          "expected one of \\t \\n \\r \\\\ \\xNN in a field");
      i += length - 1;
    }
    field[kept++] = c;
  }
  field.resize(kept);
}

void RowReader::split_fields(Row& row, bool header) {
  const bool plain = line_.find('\\') == std::string::npos;
  std::size_t count = 0;
  for (std::size_t from = 0; from <= line_.size(); ++count) {
    if (count == row.fields.size()) row.fields.emplace_back();
    if (count >= row.field_column.size()) row.field_column.emplace_back();
    const auto to = std::min(line_.find('\t', from), line_.size());
    row.field_column[count] = static_cast<std::uint32_t>(from + 1);
    auto& field = row.fields[count];
    field.assign(line_, from, to - from);
    if (!plain) unescape(field, from);
    if (header) field = std::string(trim(field));
    from = to + 1;
  }
  row.fields.resize(count);
  row.field_column.resize(count);
}

void RowReader::read_object(Row& row) {
  const auto value = parse_json(line_, name_, line_number_);
  if (!value.is_object())
    throw input_error({name_, line_number_, 1}, "expected a JSON object on each line");
  row.fields.assign(columns_.size(), {});
  for (const auto& member : value.get_object()) {
    const auto key = trim({member.key().data(), member.key().size()});
    auto at = column(key);
    if (!at) {
      at = columns_.size();
      if (*at == most_json_columns)
        throw input_error({name_, line_number_, 0}, "/" + printable(key) + ": expected at most " +
                                                        std::to_string(most_json_columns) +
                                                        " different keys");
      add_column(std::string(key));
      row.fields.emplace_back();
    }
    row.fields[*at] = scalar_text(member.value());
  }
  row.field_column.assign(columns_.size(), 0);
}

std::optional<std::size_t> RowReader::column(std::string_view name) const {
  constexpr std::size_t few = 24;  // of these, a look at each costs less than the tree
  if (columns_.size() > few) {
    const auto found = positions_.find(name);
    return found == positions_.end() ? std::nullopt : std::optional(found->second);
  }
  for (std::size_t i = 0; i < columns_.size(); ++i)
    if (columns_[i] == name) return i;
  return std::nullopt;
}

std::size_t RowReader::require_column(std::string_view name) const {
  if (const auto at = column(name)) return *at;
  if (columns_.empty())
    throw input_error({name_}, "empty; expected a header line with a column " + in_quotes(name));
  throw input_error({name_, 1, 1}, "no column " + in_quotes(name) +
                                       "; the columns are: " + printable(join(columns_, " ")));
}

const std::string& RowReader::field(const Row& row, std::optional<std::size_t> column) {
  static const std::string none;
  return column && *column < row.fields.size() ? row.fields[*column] : none;
}

Error RowReader::error_at(const Row& row, std::size_t column, const std::string& message) const {
  const auto text = "column " + printable(columns_.at(column)) + ": " + message;
  if (json_)
    return input_error({name_, row.line, 0}, "/" + printable(columns_.at(column)) + ": " + message);
  return input_error(
      {name_, row.line, column < row.field_column.size() ? row.field_column[column] : 0}, text);
}

std::optional<double> RowReader::number_at(const Row& row, std::size_t column) const {
  const auto& text = field(row, column);
  if (text.empty()) return std::nullopt;
  const auto value = parse_double(text);
  if (!value) throw error_at(row, column, "expected a number, got " + in_quotes(text));
  return value;
}

Error RowReader::not_whole(const Row& row, std::size_t column) const {
  return error_at(row, column, "expected a whole number, got " + in_quotes(field(row, column)));
}

}  // namespace zl::formats
