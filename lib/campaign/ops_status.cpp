#include "campaign/ops_status.hpp"

#include <sstream>

#include "base/files.hpp"
#include "base/number.hpp"

namespace zl::campaign {

const std::vector<formats::Column>& ops_status_columns() {
  using enum formats::ColumnType;
  static const std::vector<formats::Column> columns = {
      {"op", text},      {"device", text},      {"round", number}, {"side", text},
      {"status", text},  {"exit_code", number}, {"rows", number},  {"elapsed_s", number},
      {"backend", text}, {"timer", text},       {"note", text},    {"run_dir", text}};
  return columns;
}

std::vector<std::string> ops_status_fields(const OpsStatus& row) {
  return {row.cell.op,
          row.device,
          std::to_string(row.cell.round),
          side_name(row.cell.side),
          row.status,
          row.exit_code ? std::to_string(*row.exit_code) : "",
          std::to_string(row.rows),
          format_rounded(row.elapsed_s, 3),
          row.backend,
          row.timer,
          row.note,
          row.run_dir};
}

std::vector<OpsStatus> read_ops_status(const std::filesystem::path& file) {
  auto content = read_file(file);
  // A writer that was killed can leave half a line; whole ones end in a newline.
  content.resize(content.rfind('\n') == std::string::npos ? 0 : content.rfind('\n') + 1);
  std::istringstream in(content);
  formats::RowReader reader(in, file.native());
  std::vector<OpsStatus> rows;
  formats::Row row;
  while (reader.next(row)) {
    const auto text = [&](const char* name) {
      return formats::RowReader::field(row, reader.column(name));
    };
    const auto at = [&](const char* name) { return reader.require_column(name); };
    OpsStatus status;
    status.cell.op = text("op");
    status.cell.round = reader.whole_at<unsigned>(row, at("round")).value_or(0);
    const auto side = text("side");
    if (side != "before" && side != "after")
      throw reader.error_at(row, at("side"), "expected before or after");
    status.cell.side = side == "before" ? Side::before : Side::after;
    status.device = text("device");
    status.status = text("status");
    status.exit_code = reader.whole_at<int>(row, at("exit_code"));
    status.rows = reader.whole_at<std::size_t>(row, at("rows")).value_or(0);
    status.elapsed_s = reader.number_at(row, at("elapsed_s")).value_or(0);
    status.backend = text("backend");
    status.timer = text("timer");
    status.note = text("note");
    status.run_dir = text("run_dir");
    rows.push_back(std::move(status));
  }
  return rows;
}

}  // namespace zl::campaign
