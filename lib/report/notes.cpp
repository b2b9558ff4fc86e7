#include "report/notes.hpp"

#include <algorithm>
#include <cmath>

#include "base/number.hpp"
#include "base/text.hpp"
#include "stats/descriptive.hpp"

namespace zl::report {

namespace {

constexpr double busy_pct = 50;
constexpr std::chrono::seconds settled{2};  ///< utilisation is averaged over up to a second

std::string place_of(const campaign::Cell& cell) {
  return " r" + std::to_string(cell.round) + "/" + campaign::side_name(cell.side);
}

/// The median clock of each operator's cells on each card.
std::map<std::pair<std::string, std::string>, double> median_clocks(const Measurements& all) {
  std::map<std::pair<std::string, std::string>, std::vector<double>> clocks;
  for (const auto& cell : all.cells)
    if (cell.evidence && cell.evidence->clock_mhz)
      clocks[{cell.cell.op, cell.device}].push_back(*cell.evidence->clock_mhz);
  std::map<std::pair<std::string, std::string>, double> medians;
  for (auto& [key, values] : clocks) medians[key] = stats::median(std::move(values));
  return medians;
}

/// When the cell before this one on the same card ended.
std::vector<std::optional<WallTime>> ends_before(const Measurements& all) {
  std::map<std::string, std::vector<std::pair<WallTime, WallTime>>> by_device;
  for (const auto& cell : all.cells)
    if (cell.started && cell.finished)
      by_device[cell.device].emplace_back(*cell.started, *cell.finished);
  for (auto& [device, times] : by_device) std::sort(times.begin(), times.end());
  std::vector<std::optional<WallTime>> ends(all.cells.size());
  for (std::size_t i = 0; i < all.cells.size(); ++i) {
    const auto& cell = all.cells[i];
    if (!cell.started) continue;
    const auto& times = by_device[cell.device];
    const auto next =
        std::lower_bound(times.begin(), times.end(), std::pair(*cell.started, WallTime::min()));
    if (next != times.begin()) ends[i] = std::prev(next)->second;
  }
  return ends;
}

std::set<std::string> words(const std::string& list) {
  std::set<std::string> found;
  for (const auto word : split(list, ','))
    if (!trim(word).empty()) found.emplace(trim(word));
  return found;
}

}  // namespace

CellNotes::CellNotes(const Measurements& measurements, const SummaryOptions& options)
    : measurements_(measurements), options_(options) {
  const auto medians = median_clocks(measurements);
  const auto ends = ends_before(measurements);
  for (std::size_t i = 0; i < measurements.cells.size(); ++i) {
    const auto& cell = measurements.cells[i];
    std::vector<std::string> notes;
    if (const auto& evidence = cell.evidence) {
      if (evidence->clock_mhz) {
        const double median = medians.at({cell.cell.op, cell.device});
        if (*evidence->clock_mhz < median * (1 - options.clock_drop_pct / 100))
          notes.push_back("clock fell to " + format_fixed(*evidence->clock_mhz, 0) + " of " +
                          format_fixed(median, 0) + " MHz" + place_of(cell.cell));
      }
      if (!evidence->throttle.empty())
        notes.push_back("throttled by " +
                        join({evidence->throttle.begin(), evidence->throttle.end()}, " and ") +
                        place_of(cell.cell));
      const bool idle_before = !ends[i] || (cell.started && *cell.started - *ends[i] >= settled);
      if (evidence->first_util_pct >= busy_pct && idle_before && cell.started &&
          evidence->samples > 1)
        notes.push_back("another process on the device before" + place_of(cell.cell));
    }
    by_cell_.push_back(join(notes, "; "));
  }
}

std::vector<std::string> CellNotes::of(const SummaryRow& row) const {
  std::vector<std::string> notes;
  std::vector<double> drifts;
  for (const auto& pair : row.pairs) {
    for (const auto cell : {pair.before_cell, pair.after_cell})
      if (!by_cell_[cell].empty()) notes.push_back(by_cell_[cell]);
    const auto& before = measurements_.cells[pair.before_cell].evidence;
    const auto& after = measurements_.cells[pair.after_cell].evidence;
    if (before && after && before->temp_c && after->temp_c)
      drifts.push_back(*after->temp_c - *before->temp_c);
  }
  if (!drifts.empty()) {
    const double drift = stats::median(drifts);
    if (std::abs(drift) >= options_.temp_drift_c)
      notes.push_back("after side " + format_fixed(std::abs(drift), 0) + " C " +
                      (drift > 0 ? "hotter" : "cooler"));
  }
  return notes;
}

std::vector<std::string> timing_notes(const SummaryRow& row, const Measurements& measurements) {
  // note → how many cells of each side have it
  std::map<std::string, std::pair<std::size_t, std::size_t>> counts;
  for (const auto& pair : row.pairs) {
    for (const auto& word : words(measurements.notes[pair.before_note])) ++counts[word].first;
    for (const auto& word : words(measurements.notes[pair.after_note])) ++counts[word].second;
    for (const auto& word : words(measurements.cells[pair.before_cell].note)) ++counts[word].first;
    for (const auto& word : words(measurements.cells[pair.after_cell].note)) ++counts[word].second;
  }
  std::vector<std::string> notes;
  notes.reserve(counts.size());
  for (const auto& [word, sides] : counts)
    notes.push_back(sides.second == 0  ? word + " (before)"
                    : sides.first == 0 ? word + " (after)"
                                       : word);
  return notes;
}

bool timed_differently(const SummaryRow& row, const Measurements& measurements) {
  const auto direct = [&](std::uint32_t note) {
    return words(measurements.notes[note]).contains("direct");
  };
  return std::any_of(row.pairs.begin(), row.pairs.end(), [&](const RoundPair& pair) {
    return direct(pair.before_note) != direct(pair.after_note);
  });
}

}  // namespace zl::report
