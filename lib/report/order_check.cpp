#include "report/order_check.hpp"

#include <cmath>

#include "stats/descriptive.hpp"
#include "stats/moderated.hpp"

namespace zl::report {

namespace {

/// Means over an operator's rows in one round.
struct Round {
  double ratio = 0, level = 0, rows = 0;
  bool known = false, before_first = false;
};

using Rounds = std::map<unsigned, Round>;

std::vector<std::pair<std::string, Rounds>> rounds_by_operator(const Summary& summary,
                                                               const Measurements& all) {
  std::vector<std::pair<std::string, Rounds>> operators;
  std::map<std::string, std::size_t> places;
  for (const auto& row : summary.rows) {
    const auto [place, is_new] = places.emplace(row.op, operators.size());
    if (is_new) operators.emplace_back(row.op, Rounds());
    // Each row against its own median, so that a row missing in a round shifts nothing.
    const double level = std::log(row.before_ms) / 2 + std::log(row.after_ms) / 2;
    const double ratio = std::log(row.before_ms / row.after_ms);
    for (const auto& pair : row.pairs) {
      auto& round = operators[place->second].second[pair.round];
      round.ratio += std::log(pair.before_ms / pair.after_ms) - ratio;
      round.level += std::log(pair.before_ms) / 2 + std::log(pair.after_ms) / 2 - level;
      round.rows += 1;
      const auto& before = all.cells[pair.before_cell].started;
      const auto& after = all.cells[pair.after_cell].started;
      round.known = before && after && *before != *after;
      round.before_first = round.known && *before < *after;
    }
  }
  return operators;
}

void add_check(const std::string& op, const char* check, const std::vector<double>& x,
               const std::vector<double>& y, std::vector<OrderRow>& rows) {
  if (x.size() < 4) return;
  if (const auto found = stats::trend(x, y))
    rows.push_back({op, check, x.size(), 100 * found->slope, found->p, ""});
}

}  // namespace

std::vector<OrderRow> check_order(const Summary& summary, const Measurements& measurements) {
  std::vector<OrderRow> rows;
  for (const auto& [op, rounds] : rounds_by_operator(summary, measurements)) {
    std::vector<double> number, ratio, level, first, ratio_of_first;
    for (const auto& [round, means] : rounds) {
      number.push_back(round);
      ratio.push_back(means.ratio / means.rows);
      level.push_back(means.level / means.rows);
      if (!means.known) continue;
      first.push_back(means.before_first ? 1 : 0);
      ratio_of_first.push_back(ratio.back());
    }
    add_check(op, "speedup over rounds", number, ratio, rows);
    add_check(op, "latency over rounds", number, level, rows);
    add_check(op, "side that ran first", first, ratio_of_first, rows);
  }
  std::vector<double> p;
  p.reserve(rows.size());
  for (const auto& row : rows) p.push_back(row.p);
  const auto q = stats::benjamini_hochberg(p);
  for (std::size_t i = 0; i < rows.size(); ++i)
    rows[i].verdict = q[i] > 0.05 ? "none" : rows[i].check.starts_with("side") ? "order" : "trend";
  return rows;
}

}  // namespace zl::report
