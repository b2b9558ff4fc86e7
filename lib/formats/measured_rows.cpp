#include "formats/measured_rows.hpp"

#include <cerrno>
#include <fstream>

#include "base/files.hpp"
#include "base/number.hpp"
#include "base/text.hpp"

namespace zl::formats {

const std::vector<Column>& measured_row_columns() {
  using enum ColumnType;
  static const std::vector<Column> columns = {{"op", text},
                                              {"dtype", text},
                                              {"size", text},
                                              {"latency_ms", number},
                                              {"base_ms", number},
                                              {"status", text},
                                              {"timer", text},
                                              {"runs", number},
                                              {"min_ms", number},
                                              {"max_ms", number},
                                              {"user_ms", number},
                                              {"sys_ms", number},
                                              {"max_rss_kib", number},
                                              {"note", text}};
  return columns;
}

std::vector<std::string> measured_row_fields(const MeasuredRow& row) {
  return {row.op,
          row.dtype,
          row.size,
          format_optional(row.latency_ms),
          format_optional(row.base_ms),
          row.status,
          row.timer,
          format_optional(row.runs),
          format_optional(row.min_ms),
          format_optional(row.max_ms),
          format_optional(row.user_ms),
          format_optional(row.sys_ms),
          format_optional(row.max_rss_kib),
          row.note};
}

MeasuredRow read_measured_row(const RowReader& reader, const Row& row) {
  reader.require_column("op");
  reader.require_column("latency_ms");
  const auto text = [&](const char* name) { return RowReader::field(row, reader.column(name)); };
  const auto number = [&](const char* name) -> std::optional<double> {
    const auto column = reader.column(name);
    return column ? reader.number_at(row, *column) : std::nullopt;
  };
  MeasuredRow measured;
  measured.op = text("op");
  measured.dtype = text("dtype");
  measured.size = text("size");
  measured.latency_ms = number("latency_ms");
  measured.base_ms = number("base_ms");
  measured.status = text("status").empty() ? "SUCCESS" : text("status");
  measured.timer = text("timer");
  measured.runs = number("runs");
  measured.min_ms = number("min_ms");
  measured.max_ms = number("max_ms");
  measured.user_ms = number("user_ms");
  measured.sys_ms = number("sys_ms");
  measured.max_rss_kib = number("max_rss_kib");
  measured.note = text("note");
  return measured;
}

std::vector<MeasuredRow> read_measured_rows(RowReader& reader) {
  std::vector<MeasuredRow> rows;
  Row row;
  while (reader.next(row)) rows.push_back(read_measured_row(reader, row));
  return rows;
}

std::vector<MeasuredRow> read_measured_rows(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  if (!in) throw system_error("cannot read " + in_quotes(file.native()), errno);
  RowReader reader(in, file.native());
  return read_measured_rows(reader);
}

void write_measured_rows(const std::filesystem::path& file, const std::vector<MeasuredRow>& rows) {
  auto text = tsv_header(measured_row_columns());
  for (const auto& row : rows) text += tsv_line(measured_row_fields(row));
  replace_file(file, text);
}

}  // namespace zl::formats
