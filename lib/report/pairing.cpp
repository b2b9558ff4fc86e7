#include "report/pairing.hpp"

#include <algorithm>

#include "base/text.hpp"

namespace zl::report {

namespace {

/// Pairs of the rounds that have both sides; `lonely` counts the usable latencies without one.
std::vector<RoundPair> pairs_of(const MeasuredKey& row, const Measurements& all, bool (&seen)[2],
                                std::size_t& lonely) {
  std::vector<RoundPair> rounds;
  std::vector<std::pair<unsigned, const Latency*>> sides[2];
  for (const auto& latency : row.latencies) {
    const auto& cell = all.cells[latency.cell].cell;
    const int side = cell.side == campaign::Side::before ? 0 : 1;
    if (latency.ms > 0) seen[side] = true, sides[side].emplace_back(cell.round, &latency);
  }
  for (auto& side : sides)
    std::sort(side.begin(), side.end(),
              [](const auto& a, const auto& b) { return a.first < b.first; });
  auto before = sides[0].begin(), after = sides[1].begin();
  while (before != sides[0].end() && after != sides[1].end()) {
    if (before->first == after->first) {
      rounds.push_back({before->first, before->second->cell, after->second->cell,
                        before->second->ms, after->second->ms, before->second->note,
                        after->second->note});
      ++before, ++after;
    } else {
      ++lonely;
      if (before->first < after->first)
        ++before;
      else
        ++after;
    }
  }
  lonely += static_cast<std::size_t>((sides[0].end() - before) + (sides[1].end() - after));
  return rounds;
}

}  // namespace

std::vector<SummaryRow> pair_rows(const Measurements& measurements, Exclusions& excluded) {
  std::vector<SummaryRow> rows;
  for (const auto& measured : measurements.rows) {
    SummaryRow row;
    bool seen[2] = {false, false};
    std::size_t lonely = 0;
    row.pairs = pairs_of(measured, measurements, seen, lonely);
    const auto name = printable(measured.op + " " + measured.dtype + " " + measured.size);
    if (row.pairs.empty()) {
      if (seen[0] || seen[1])
        excluded.add(!seen[1]   ? "row on the before side only"
                     : !seen[0] ? "row on the after side only"
                                : "row without a common round",
                     name);
      continue;
    }
    if (lonely > 0) excluded.add("latency of a round without its other side", name, lonely);
    row.op = measured.op;
    row.dtype = measured.dtype;
    row.size = measured.size;
    row.occurrence = measured.occurrence;
    row.cell_op = measurements.cells[row.pairs.front().before_cell].cell.op;
    rows.push_back(std::move(row));
  }
  return rows;
}

}  // namespace zl::report
