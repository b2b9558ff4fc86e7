#include "campaign/plan.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <unordered_map>

#include "base/number.hpp"
#include "base/text.hpp"

namespace zl::campaign {

namespace {

using formats::Column;
using formats::ColumnType;
using formats::Row;
using formats::RowReader;

/// Seconds to the microsecond: there the sum of two decimal fractions is free of binary noise. By
/// whole numbers, as a plan can have a million rows.
std::string seconds_text(double seconds) {
  if (seconds >= 1e9) return format_rounded(seconds, 6);
  const auto micros = std::llround(seconds * 1e6);
  auto text = std::to_string(micros / 1'000'000);
  if (const auto fraction = micros % 1'000'000; fraction != 0) {
    auto digits = std::to_string(1'000'000 + fraction);  // a leading 1 keeps the zeros
    digits.erase(digits.find_last_not_of('0') + 1);
    text += '.' + digits.substr(1);
  }
  return text;
}

struct PlanReader {
  RowReader& reader;
  /// Rows of one operator that have no round in common, by their first round.
  struct Seen {
    unsigned end;  ///< past the last round
    std::size_t line;
  };
  using Rounds = std::map<unsigned, Seen>;
  std::unordered_map<std::string, Rounds> seen;

  const std::string& required(const Row& row, const char* name) const {
    const auto column = reader.require_column(name);
    const auto& text = RowReader::field(row, column);
    if (text.empty()) throw reader.error_at(row, column, "expected a name, got an empty field");
    return text;
  }

  unsigned whole(const Row& row, std::size_t column) const {
    const auto& text = RowReader::field(row, column);
    const auto value = parse_unsigned(text);
    if (!value || *value < 1 || *value > most_rounds)
      throw reader.error_at(row, column,
                            "expected a whole number from 1 to " + std::to_string(most_rounds) +
                                ", got " + in_quotes(text));
    return static_cast<unsigned>(*value);
  }

  double seconds(const Row& row, const char* name) const {
    const auto column = reader.column(name);
    if (!column) return 0;
    const auto value = reader.number_at(row, *column).value_or(0);
    if (value < 0)
      throw reader.error_at(
          row, *column,
          "expected no negative time, got " + in_quotes(RowReader::field(row, column)));
    return value;
  }

  /// The line of an earlier row that has a round in common with this one.
  static std::optional<std::size_t> common_round(const Rounds& others, const PlanRow& plan) {
    const auto next = others.lower_bound(plan.first_round);
    if (next != others.end() && next->first < plan.first_round + plan.rounds)
      return next->second.line;
    if (next != others.begin() && std::prev(next)->second.end > plan.first_round)
      return std::prev(next)->second.line;
    return std::nullopt;
  }

  void refuse_repeated(const Row& row, const PlanRow& plan) {
    auto& others = seen[plan.op];
    const bool split = reader.column("first_round").has_value();
    const auto line = split            ? common_round(others, plan)
                      : others.empty() ? std::nullopt
                                       : std::optional(others.begin()->second.line);
    if (line)
      throw reader.error_at(
          row, reader.require_column("op"),
          "operator " + in_quotes(plan.op) +
              (split ? " has rounds in common with an earlier row" : " appears twice") + " (line " +
              std::to_string(*line) + ")");
    others.emplace(plan.first_round, Seen{plan.first_round + plan.rounds, row.line});
  }

  PlanRow read(const Row& row) const {
    PlanRow plan;
    plan.device = required(row, "device");
    plan.op = required(row, "op");
    plan.host = RowReader::field(row, reader.column("host"));
    plan.rounds = whole(row, reader.require_column("rounds"));
    const auto first = reader.column("first_round");
    if (first && !RowReader::field(row, first).empty()) plan.first_round = whole(row, *first);
    plan.weight_s = seconds(row, "weight_s");
    plan.estimate_s = seconds(row, "estimate_s");
    plan.start_s = seconds(row, "start_s");
    for (std::size_t i = 0; i < row.fields.size(); ++i)
      if (!is_plan_column(reader.columns()[i]))
        plan.fields.emplace(reader.columns()[i], row.fields[i]);
    return plan;
  }
};

}  // namespace

bool is_plan_column(std::string_view name) {
  static const auto own = plan_columns({true, true, {}});
  return std::any_of(own.begin(), own.end(),
                     [&](const auto& column) { return column.name == name; });
}

std::vector<Column> plan_columns(const PlanShape& shape) {
  std::vector<Column> columns = {
      {"device", ColumnType::text},       {"op", ColumnType::text},
      {"rounds", ColumnType::number},     {"weight_s", ColumnType::number},
      {"estimate_s", ColumnType::number}, {"start_s", ColumnType::number}};
  if (shape.hosts) columns.push_back({"host", ColumnType::text});
  if (shape.split) columns.push_back({"first_round", ColumnType::number});
  columns.insert(columns.end(), shape.passthrough.begin(), shape.passthrough.end());
  return columns;
}

std::vector<std::string> plan_fields(const PlanRow& row, const PlanShape& shape) {
  std::vector<std::string> fields = {row.device,
                                     row.op,
                                     std::to_string(row.rounds),
                                     seconds_text(row.weight_s),
                                     seconds_text(row.estimate_s),
                                     seconds_text(row.start_s)};
  if (shape.hosts) fields.push_back(row.host);
  if (shape.split) fields.push_back(std::to_string(row.first_round));
  return fields;
}

std::vector<PlanRow> read_plan(RowReader& reader) {
  PlanReader plan{reader, {}};
  std::vector<PlanRow> rows;
  Row row;
  if (!reader.is_json())
    for (const char* name : {"device", "op", "rounds"}) reader.require_column(name);
  while (reader.next(row)) {
    auto next = plan.read(row);
    plan.refuse_repeated(row, next);
    rows.push_back(std::move(next));
  }
  return rows;
}

}  // namespace zl::campaign
