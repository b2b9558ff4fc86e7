#include "campaign/screen_table.hpp"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <fstream>
#include <set>

#include "base/error.hpp"
#include "base/text.hpp"

namespace zl::campaign {

ScreenTable::ScreenTable() : columns_(screen_columns()) {}

ScreenTable ScreenTable::read(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  if (!in) throw system_error("cannot read " + in_quotes(file.native()), errno);
  formats::RowReader reader(in, file.native());
  ScreenTable table;
  table.columns_.clear();
  formats::Row row;
  std::set<std::string> seen;
  while (reader.next(row)) {
    const auto op = reader.require_column("op");
    if (row.fields[op].empty()) throw reader.error_at(row, op, "expected an operator");
    if (!seen.insert(row.fields[op]).second)
      throw reader.error_at(row, op,
                            "operator " + in_quotes(row.fields[op]) + " stands here twice");
    table.rows_.push_back(row.fields);
  }
  for (const auto& name : reader.columns())
    table.columns_.push_back({name, formats::ColumnType::automatic});
  for (const auto& own : screen_columns()) {
    const auto found = std::find_if(table.columns_.begin(), table.columns_.end(),
                                    [&](const auto& column) { return column.name == own.name; });
    if (found == table.columns_.end()) table.columns_.push_back(own);
  }
  for (auto& fields : table.rows_) fields.resize(table.columns_.size());
  return table;
}

std::size_t ScreenTable::column(const std::string& name) const {
  const auto found = std::find_if(columns_.begin(), columns_.end(),
                                  [&](const auto& column) { return column.name == name; });
  return static_cast<std::size_t>(found - columns_.begin());
}

std::optional<std::size_t> ScreenTable::find(const std::string& op) const {
  const auto at = column("op");
  for (std::size_t i = 0; i < rows_.size(); ++i)
    if (rows_[i][at] == op) return i;
  return std::nullopt;
}

const std::string& ScreenTable::field(std::size_t row, const std::string& name) const {
  return rows_[row][column(name)];
}

void ScreenTable::set(const ScreenRow& row) {
  auto at = find(row.op);
  if (!at) {
    at = rows_.size();
    rows_.emplace_back(columns_.size());
  }
  const auto fields = screen_fields(row);
  const auto& own = screen_columns();
  for (std::size_t i = 0; i < own.size(); ++i) {
    const bool time = own[i].name.starts_with("elapsed_");
    if (!time || !fields[i].empty()) rows_[*at][column(own[i].name)] = fields[i];
  }
}

std::string ScreenTable::text() const {
  std::string text = formats::tsv_header(columns_);
  for (const auto& fields : rows_) text += formats::tsv_line(fields);
  return text;
}

std::filesystem::path keep_original(const std::filesystem::path& file) {
  for (std::size_t number = 0;; ++number) {
    auto name = file;
    name += number == 0 ? ".orig" : ".orig." + std::to_string(number);
    if (::link(file.c_str(), name.c_str()) == 0) return name;
    if (errno == EEXIST) continue;
    // A file system without hard links: a copy, which refuses to overwrite just the same.
    std::error_code error;
    if (std::filesystem::copy_file(file, name, std::filesystem::copy_options::none, error))
      return name;
    if (error != std::errc::file_exists)
      throw environment_error("cannot keep " + in_quotes(file.native()) + " as " +
                              in_quotes(name.native()) + ": " + error.message());
  }
}

}  // namespace zl::campaign
