#include "report/tables.hpp"

#include <algorithm>

#include "base/number.hpp"
#include "base/text.hpp"

namespace zl::report {

using formats::ColumnType;

namespace {

std::string percent(double value) {
  return format_rounded(value, 2);
}
std::string percent(const std::optional<double>& value) {
  return value ? percent(*value) : "";
}
std::string count(std::size_t value) {
  return std::to_string(value);
}

std::string cell(const std::string& text) {
  std::string safe;
  for (const char c : printable(text)) {
    if (c == '|') safe += '\\';
    safe += c;
  }
  return safe;
}

}  // namespace

Table row_table(const Summary& summary) {
  using enum ColumnType;
  Table table;
  table.columns = {{"op", text},
                   {"dtype", text},
                   {"size", text},
                   {"rounds", number},
                   {"before_ms", number},
                   {"after_ms", number},
                   {"speedup_pct", number},
                   {"ci_low_pct", number},
                   {"ci_high_pct", number},
                   {"noise_before_pct", number},
                   {"noise_after_pct", number},
                   {"verdict", text},
                   {"note", text}};
  for (const auto& row : summary.rows)
    table.rows.push_back({row.op, row.dtype, row.size, count(row.pairs.size()),
                          format_rounded(row.before_ms, 9), format_rounded(row.after_ms, 9),
                          percent(row.speedup_pct), percent(row.ci_low_pct),
                          percent(row.ci_high_pct), percent(row.noise_before_pct),
                          percent(row.noise_after_pct), row.verdict, join(row.notes, "; ")});
  return table;
}

Table operator_table(const Summary& summary) {
  using enum ColumnType;
  Table table;
  table.columns = {{"op", text},
                   {"rows", number},
                   {"least_pct", number},
                   {"most_pct", number},
                   {"geomean_pct", number},
                   {"faster", number},
                   {"slower", number},
                   {"same", number},
                   {"unclear", number},
                   {"non_comparable", number},
                   {"note", text}};
  for (const auto& op : summary.operators)
    table.rows.push_back({op.op, count(op.rows), percent(op.least_pct), percent(op.most_pct),
                          percent(op.geomean_pct), count(op.faster), count(op.slower),
                          count(op.same), count(op.unclear), count(op.non_comparable),
                          join(op.notes, "; ")});
  return table;
}

Table order_table(const std::vector<OrderRow>& rows) {
  using enum ColumnType;
  Table table;
  table.columns = {{"op", text},           {"check", text}, {"rounds", number},
                   {"effect_pct", number}, {"p", number},   {"verdict", text}};
  for (const auto& row : rows)
    table.rows.push_back({row.op, row.check, count(row.rounds), format_rounded(row.effect_pct, 3),
                          format_rounded(row.p, 4), row.verdict});
  return table;
}

std::string markdown(const Table& table) {
  std::string text, rule;
  const auto line = [&](const auto& fields, const auto& name) {
    for (const auto& field : fields) text += "| " + cell(name(field)) + " ";
    text += "|\n";
  };
  line(table.columns, [](const formats::Column& column) { return column.name; });
  for (const auto& column : table.columns)
    text += column.type == ColumnType::number ? "| ---: " : "| --- ";
  text += "|\n";
  for (const auto& row : table.rows) line(row, [](const std::string& field) { return field; });
  return text;
}

std::vector<std::string> remarks(const Summary& summary) {
  std::vector<std::string> lines;
  auto line =
      counted(summary.rows.size(), "row") + " of " + counted(summary.operators.size(), "operator");
  if (summary.geomean_pct) line += ", geometric mean " + percent(*summary.geomean_pct) + " %";
  if (summary.timer_step_ms)
    line += ", timer step " + format_rounded(*summary.timer_step_ms * 1e6, 0) + " ns";
  std::vector<std::string> hashes;
  for (const auto& [hash, runs] : summary.calibers) hashes.push_back(hash);
  if (!hashes.empty()) line += ", caliber " + join(hashes, " ");
  lines.push_back(line);
  for (const auto& excluded : summary.excluded.lines()) lines.push_back("not counted: " + excluded);
  return lines;
}

}  // namespace zl::report
