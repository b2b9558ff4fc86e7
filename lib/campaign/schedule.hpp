#pragma once
// Whole-numbered jobs on identical machines so that the last one ends early (P||Cmax in the
// scheduling literature): greedy orders, lower bounds, and the best schedule with its proof.
// Knows nothing of operators and devices.

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

namespace zl::campaign {

using Load = std::int64_t;

struct Schedule {
  std::vector<std::uint32_t> machine_of;  ///< for each job
  Load makespan = 0;
};

/// Makespan of an assignment.
Load makespan_of(std::span<const Load> jobs, std::span<const std::uint32_t> machine_of,
                 std::size_t machines);

/// Positions of the jobs, longest first, equal ones in input order.
std::vector<std::uint32_t> longest_first_order(std::span<const Load> jobs);

/// LPT (R. L. Graham 1969): longest job first onto the least loaded machine; at most
/// 4/3 − 1/(3m) of the best makespan. `machines` ≥ 1.
Schedule longest_first(std::span<const Load> jobs, std::size_t machines);

/// MULTIFIT (Coffman, Garey, Johnson 1978): first-fit decreasing into `machines` bins, their size
/// found by bisection between `low` and `high`. Nothing where no size below `high` was found.
std::optional<Schedule> multifit(std::span<const Load> jobs, std::size_t machines, Load low,
                                 Load high);

/// No schedule ends before this: the mean load, the longest job, and for each k the k + 1 shortest
/// of the km + 1 longest jobs, two of which meet on a machine (Dell'Amico, Martello 1995).
Load lower_bound(std::span<const Load> jobs, std::size_t machines);

/// Whether the bin-packing bound L2 (Martello, Toth 1990) shows that `sorted` (longest first) do
/// not fit into `bins` bins of `capacity`.
bool too_many_for_bins(std::span<const Load> sorted, std::size_t bins, Load capacity);

struct BestSchedule {
  Schedule schedule;
  Load lower_bound = 0;  ///< equal to the makespan where that is proven the best
  bool proven() const { return schedule.makespan == lower_bound; }
};

/// The best schedule, or the best one found before `expired` returns true (asked every few
/// thousand steps; LPT itself always runs). Never worse than LPT. The search fills machine after
/// machine up to a capacity (bin completion: Korf 2003; between makespan bounds: Schreiber, Korf
/// 2013), with the dominance and the bounds of Martello and Toth.
BestSchedule best_schedule(std::span<const Load> jobs, std::size_t machines,
                           const std::function<bool()>& expired);

}  // namespace zl::campaign
