#include <charconv>
#include <optional>
#include <stdexcept>

#include "base/number.hpp"
#include "base/text.hpp"
#include "formats/json.hpp"
#include "formats/rows.hpp"

namespace zl::formats {

namespace {

bool is_escaped(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return byte < 0x20 || byte == 0x7F || c == '\\';
}

/// U+0080..U+009F in UTF-8: controls to a terminal as much as those below 0x20.
bool is_c1(std::string_view field, std::size_t at) {
  return field[at] == '\xC2' && at + 1 < field.size() &&
         static_cast<unsigned char>(field[at + 1]) >= 0x80 &&
         static_cast<unsigned char>(field[at + 1]) < 0xA0;
}

std::string escape_of(char c) {
  const auto letter = std::string_view("\t\n\r\\").find(c);
  if (letter != std::string_view::npos) return {'\\', "tnr\\"[letter]};
  return printable({&c, 1});
}

std::optional<char> hex_byte(std::string_view digits) {
  unsigned value = 0;
  if (digits.size() != 2) return std::nullopt;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + 2, value, 16);
  if (error != std::errc() || end != digits.data() + 2) return std::nullopt;
  return static_cast<char>(value);
}

}  // namespace

void append_tsv_field(std::string& out, std::string_view field) {
  std::size_t plain = 0;  // from here on nothing needed an escape
  for (std::size_t i = 0; i < field.size(); ++i) {
    const char c = field[i];
    if (c >= ' ' && c != '\\' && c != '\x7F') continue;  // almost every byte of almost every field
    const bool c1 = is_c1(field, i);
    if (!c1 && !is_escaped(c)) continue;
    out.append(field, plain, i - plain).append(escape_of(c));
    if (c1) out.append(escape_of(field[++i]));
    plain = i + 1;
  }
  out.append(field, plain);
}

std::size_t tsv_escape(std::string_view text, char& byte) {
  if (text.size() < 2) return 0;
  const auto letter = std::string_view("tnr\\").find(text[1]);
  if (letter != std::string_view::npos) {
    byte = "\t\n\r\\"[letter];
    return 2;
  }
  const auto value = text[1] == 'x' ? hex_byte(text.substr(2, 2)) : std::nullopt;
  if (!value) return 0;
  byte = *value;
  return 4;
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
    char c = field[i];
    const auto length = c == '\\' ? tsv_escape(field.substr(i), c) : 0;
    plain += c;
    if (length != 0) i += length - 1;
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
