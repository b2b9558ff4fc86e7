#include <algorithm>
#include <numeric>

#include "campaign/capacity_search.hpp"
#include "campaign/schedule.hpp"

namespace zl::campaign {

namespace {

constexpr std::uint64_t first_steps = 20'000;
/// Levels of the search hold the jobs once a machine; beyond this (some 500 MB) it is left out.
constexpr std::size_t most_job_slots = 20'000'000;

/// The least capacity that too_many_for_bins does not refuse; every lower one is too low.
Load raise_bound(std::span<const Load> sorted, std::size_t machines, Load low, Load high) {
  while (low < high) {
    const Load middle = low + (high - low) / 2;
    if (too_many_for_bins(sorted, machines, middle))
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

/// Closes in on the least capacity between `low`, below which nothing fits, and the makespan of
/// the best schedule so far. Each round of trials allows each trial four times the steps of the
/// round before, so that one hard capacity does not use up the time that others could use.
void close_in(CapacitySearch& search, std::span<const Load> sorted, std::size_t machines,
              const std::function<bool()>& expired, Load& low, Schedule& best) {
  using enum CapacitySearch::Answer;
  for (std::uint64_t steps = first_steps; low < best.makespan && !expired(); steps *= 4) {
    Load untried = low;  // below this, each capacity is too low or too hard for this round
    Load capacity = low;
    while (untried < best.makespan && !expired()) {
      const auto answer = search.decide(capacity, steps);
      if (answer == fits) {
        best = {search.machine_of(), makespan_of(sorted, search.machine_of(), machines)};
      } else {
        untried = capacity + 1;
        if (answer == does_not_fit) low = capacity + 1;
      }
      capacity = untried + (best.makespan - untried) / 2;
    }
  }
}

}  // namespace

BestSchedule best_schedule(std::span<const Load> jobs, std::size_t machines,
                           const std::function<bool()>& expired) {
  BestSchedule best{longest_first(jobs, machines), lower_bound(jobs, machines)};
  if (best.proven()) return best;
  const auto order = longest_first_order(jobs);
  std::vector<Load> sorted;
  sorted.reserve(jobs.size());
  for (const auto job : order) sorted.push_back(jobs[job]);

  Schedule found{{}, best.schedule.makespan};  // in sorted order; empty: LPT's stands
  best.lower_bound = raise_bound(sorted, machines, best.lower_bound, found.makespan);
  if (auto fitted = multifit(sorted, machines, best.lower_bound, found.makespan))
    found = std::move(*fitted);
  if (best.lower_bound < found.makespan && machines * sorted.size() <= most_job_slots) {
    CapacitySearch search(sorted, machines, expired);
    close_in(search, sorted, machines, expired, best.lower_bound, found);
  }
  if (found.makespan < best.schedule.makespan) {
    best.schedule.makespan = found.makespan;
    for (std::size_t i = 0; i < order.size(); ++i)
      best.schedule.machine_of[order[i]] = found.machine_of[i];
  }
  return best;
}

}  // namespace zl::campaign
