#include <stdexcept>

#include "base/number.hpp"
#include "formats/json.hpp"
#include "formats/rows.hpp"

namespace zl::formats {

void append_tsv_field(std::string& out, std::string_view field) {
  std::size_t plain = 0;  // from here on nothing needed an escape
  for (std::size_t i = 0; i < field.size(); ++i) {
    const char c = field[i];
    if (c > '\r' && c != '\\') continue;  // cheap for almost every byte of almost every field
    const char* escape = c == '\t'   ? "\\t"
                         : c == '\n' ? "\\n"
                         : c == '\r' ? "\\r"
                         : c == '\\' ? "\\\\"
                                     : nullptr;
    if (escape == nullptr) continue;
    out.append(field, plain, i - plain).append(escape);
    plain = i + 1;
  }
  out.append(field, plain);
}

namespace {

void append_tsv_line(std::string& out, const std::vector<std::string>& fields) {
  for (std::size_t i = 0; i < fields.size(); ++i) {
    if (i != 0) out += '\t';
    append_tsv_field(out, fields[i]);
  }
  out += '\n';
}

void append_json_line(std::string& out, const std::vector<Column>& columns,
                      const std::vector<std::string>& fields) {
  out += '{';
  for (std::size_t i = 0; i < columns.size(); ++i) {
    if (i != 0) out += ',';
    append_json_string(out, columns[i].name);
    out += ':';
    if (fields[i].empty()) {
      out += "null";
    } else if (columns[i].type != ColumnType::text && is_json_number(fields[i])) {
      out += fields[i];
    } else {
      append_json_string(out, fields[i]);
    }
  }
  out += "}\n";
}

}  // namespace

std::string unescaped_tsv_field(std::string_view field) {
  std::string plain;
  plain.reserve(field.size());
  for (std::size_t i = 0; i < field.size(); ++i) {
    const char next = field[i] == '\\' && i + 1 < field.size() ? field[i + 1] : '\0';
    const auto at = std::string_view("tnr\\").find(next);
    if (next == '\0' || at == std::string_view::npos) {
      plain += field[i];
    } else {
      plain += "\t\n\r\\"[at];
      ++i;
    }
  }
  return plain;
}

std::string tsv_line(const std::vector<std::string>& fields) {
  std::string line;
  append_tsv_line(line, fields);
  return line;
}

std::string json_line(const std::vector<Column>& columns, const std::vector<std::string>& fields) {
  std::string line;
  append_json_line(line, columns, fields);
  return line;
}

std::string tsv_header(const std::vector<Column>& columns) {
  std::vector<std::string> names;
  names.reserve(columns.size());
  for (const auto& column : columns) names.push_back(column.name);
  return tsv_line(names);
}

std::vector<Column> text_columns(std::initializer_list<const char*> names) {
  std::vector<Column> columns;
  for (const char* name : names) columns.push_back({name, ColumnType::text});
  return columns;
}

RowWriter::RowWriter(std::ostream& out, std::vector<Column> columns, RowFormat format)
    : out_(out), columns_(std::move(columns)), format_(format) {
  if (format_ == RowFormat::tsv) out_ << tsv_header(columns_);
}

void RowWriter::write(const std::vector<std::string>& fields) {
  if (fields.size() != columns_.size()) throw std::logic_error("a row must fill its columns");
  buffer_.clear();
  if (format_ == RowFormat::tsv)
    append_tsv_line(buffer_, fields);
  else
    append_json_line(buffer_, columns_, fields);
  out_ << buffer_;
}

}  // namespace zl::formats
