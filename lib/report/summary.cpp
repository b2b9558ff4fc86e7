#include "report/summary.hpp"

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "base/number.hpp"
#include "caliber/caliber.hpp"
#include "campaign/ops_status.hpp"
#include "report/notes.hpp"
#include "report/pairing.hpp"
#include "stats/descriptive.hpp"
#include "stats/moderated.hpp"

namespace zl::report {

namespace {

double percent_of_log(double log_ratio) {
  return 100 * std::expm1(log_ratio);
}

/// Cards as blocks: 0, 1, … in order of appearance.
std::vector<int> cards_of(const SummaryRow& row, const Measurements& all) {
  std::vector<int> cards;
  std::map<std::string, int> numbers;
  for (const auto& pair : row.pairs)
    cards.push_back(
        numbers.emplace(all.cells[pair.before_cell].device, static_cast<int>(numbers.size()))
            .first->second);
  return cards;
}

/// Log ratios of the sides' cycles, time times clock, in every round; nothing where any cell's
/// clock is not known.
std::optional<std::vector<double>> cycle_ratios(const SummaryRow& row, const Measurements& all) {
  std::vector<double> ratios;
  for (const auto& pair : row.pairs) {
    const auto& before = all.cells[pair.before_cell].evidence;
    const auto& after = all.cells[pair.after_cell].evidence;
    if (!before || !after || !before->clock_mhz || !after->clock_mhz) return std::nullopt;
    if (*before->clock_mhz <= 0 || *after->clock_mhz <= 0) return std::nullopt;
    ratios.push_back(
        std::log(pair.before_ms * *before->clock_mhz / (pair.after_ms * *after->clock_mhz)));
  }
  return ratios;
}

class Judge {
 public:
  Judge(const Sources& sources, const Measurements& all, const SummaryOptions& options,
        Summary& summary)
      : sources_(sources),
        all_(all),
        options_(options),
        summary_(summary),
        cell_notes_(all, options) {}

  void run() {
    find_timer_step();
    for (auto& row : summary_.rows) describe(row);
    shared_ = stats::share_variance(paired_);
    std::vector<double> p;
    std::vector<std::size_t> tested;
    std::vector<stats::Interval> intervals(summary_.rows.size());
    for (std::size_t i = 0; i < summary_.rows.size(); ++i) {
      if (paired_[i].rounds < fewest_rounds || paired_[i].df <= 0) continue;
      intervals[i] = stats::interval(paired_[i], shared_, options_.confidence);
      tested.push_back(i);
      p.push_back(intervals[i].p);
    }
    const auto q = stats::benjamini_hochberg(p);
    std::vector<double> q_of(summary_.rows.size(), 1);
    for (std::size_t k = 0; k < tested.size(); ++k) q_of[tested[k]] = q[k];
    for (std::size_t i = 0; i < summary_.rows.size(); ++i)
      judge(summary_.rows[i], paired_[i], intervals[i], q_of[i]);
  }

 private:
  void find_timer_step() {
    std::vector<double> latencies;
    for (const auto& row : summary_.rows)
      for (const auto& pair : row.pairs) {
        latencies.push_back(pair.before_ms);
        latencies.push_back(pair.after_ms);
      }
    summary_.timer_step_ms = stats::timer_step_ms(latencies);
  }

  void describe(SummaryRow& row) {
    std::vector<double> before, after, ratios;
    for (const auto& pair : row.pairs) {
      before.push_back(pair.before_ms);
      after.push_back(pair.after_ms);
      ratios.push_back(std::log(pair.before_ms / pair.after_ms));
    }
    row.noise_before_pct = stats::noise_pct(before);
    row.noise_after_pct = stats::noise_pct(after);
    row.before_ms = stats::median(std::move(before));
    row.after_ms = stats::median(std::move(after));
    row.speedup_pct = 100 * (row.before_ms / row.after_ms - 1);
    auto paired = stats::summarise_pairs(ratios, cards_of(row, all_));
    if (summary_.timer_step_ms) {
      // A timer that counts in steps hides what lies between: at least the variance of rounding.
      const double b = *summary_.timer_step_ms / row.before_ms,
                   a = *summary_.timer_step_ms / row.after_ms;
      paired.variance = std::max(paired.variance, (a * a + b * b) / 12);
    }
    paired_.push_back(paired);
    if (row.occurrence > 1) row.notes.push_back("occurrence=" + std::to_string(row.occurrence));
    const auto add = [&](std::vector<std::string> notes) {
      row.notes.insert(row.notes.end(), std::make_move_iterator(notes.begin()),
                       std::make_move_iterator(notes.end()));
    };
    if (const auto found = sources_.op_notes.find(row.cell_op); found != sources_.op_notes.end())
      add({found->second.begin(), found->second.end()});
    add(timing_notes(row, all_));
    add(cell_notes_.of(row));
  }

  /// Why a significant change does not count; "" where it does.
  std::string objection(const SummaryRow& row, const stats::Paired& paired) const {
    if (timed_differently(row, all_)) return "sides timed differently";
    if (const auto& step = summary_.timer_step_ms) {
      const double difference = std::abs(row.before_ms - row.after_ms);
      if (difference <= *step * 2 * (1 + 1e-9))
        return "within two steps of the timer (" + format_rounded(*step * 1e6, 0) + " ns)";
    }
    if (auto cycles = cycle_ratios(row, all_)) {
      // The median: one cell in which the clock fell must not speak for the others.
      const double typical = stats::median(std::move(*cycles));
      if (typical * paired.mean <= 0 || std::abs(typical) < std::abs(paired.mean) / 2)
        return "not in cycles (" + format_fixed(percent_of_log(typical), 1) + " %)";
    }
    return "";
  }

  void judge(SummaryRow& row, const stats::Paired& paired, const stats::Interval& interval,
             double q) {
    const bool tested = paired.rounds >= fewest_rounds && paired.df > 0;
    if (tested) {
      row.ci_low_pct = percent_of_log(interval.low);
      row.ci_high_pct = percent_of_log(interval.high);
    }
    row.verdict = verdict::unclear;
    if (!options_.comparable) {
      row.verdict = verdict::non_comparable;
      return;
    }
    const auto code = sources_.op_notes.find(row.cell_op);
    if (code != sources_.op_notes.end() && code->second.contains(campaign::status::no_ir_diff)) {
      row.verdict = verdict::same;
      return;
    }
    if (!tested) {
      row.notes.push_back("too few rounds (" + std::to_string(paired.rounds) + ")");
      return;
    }
    const double least = options_.min_effect_pct;
    const bool large = std::abs(row.speedup_pct) >= least &&
                       std::abs(percent_of_log(paired.mean)) >= least &&
                       row.speedup_pct * paired.mean > 0;
    if (q <= 1 - options_.confidence && large) {
      const auto reason = objection(row, paired);
      if (reason.empty())
        row.verdict = paired.mean > 0 ? verdict::faster : verdict::slower;
      else
        row.notes.push_back(reason);
    } else if (*row.ci_low_pct > -least && *row.ci_high_pct < least) {
      row.verdict = verdict::same;
    }
  }

  const Sources& sources_;
  const Measurements& all_;
  const SummaryOptions& options_;
  Summary& summary_;
  CellNotes cell_notes_;
  std::vector<stats::Paired> paired_;
  stats::SharedVariance shared_;
};

void summarise_operators(Summary& summary) {
  std::unordered_map<std::string, std::size_t> places;
  std::vector<std::vector<double>> logs;
  std::vector<double> all;
  for (const auto& row : summary.rows) {
    const auto [place, is_new] = places.emplace(row.op, summary.operators.size());
    if (is_new) {
      summary.operators.emplace_back();
      summary.operators.back().op = row.op;
      summary.operators.back().least_pct = summary.operators.back().most_pct = row.speedup_pct;
      logs.emplace_back();
    }
    auto& op = summary.operators[place->second];
    ++op.rows;
    op.least_pct = std::min(op.least_pct, row.speedup_pct);
    op.most_pct = std::max(op.most_pct, row.speedup_pct);
    auto& count = row.verdict == verdict::faster    ? op.faster
                  : row.verdict == verdict::slower  ? op.slower
                  : row.verdict == verdict::same    ? op.same
                  : row.verdict == verdict::unclear ? op.unclear
                                                    : op.non_comparable;
    ++count;
    for (const auto& note : row.notes)
      if (std::find(op.notes.begin(), op.notes.end(), note) == op.notes.end())
        op.notes.push_back(note);
    logs[place->second].push_back(std::log(row.before_ms / row.after_ms));
    all.push_back(logs[place->second].back());
  }
  for (std::size_t i = 0; i < logs.size(); ++i)
    summary.operators[i].geomean_pct = 100 * (stats::geometric_mean(logs[i]).value() - 1);
  if (const auto mean = stats::geometric_mean(all)) summary.geomean_pct = 100 * (*mean - 1);
}

}  // namespace

Summary summarise(const Sources& sources, const Measurements& measurements,
                  const SummaryOptions& options) {
  Summary summary;
  summary.excluded = sources.excluded;
  summary.excluded.merge(measurements.excluded);
  summary.rows = pair_rows(measurements, summary.excluded);
  for (const auto& source : sources.cells)
    if (source.run.identity) ++summary.calibers[caliber::short_hash(*source.run.identity)];
  Judge(sources, measurements, options, summary).run();
  summarise_operators(summary);
  return summary;
}

}  // namespace zl::report
