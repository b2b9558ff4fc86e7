#include "campaign/partition_split.hpp"

#include <algorithm>
#include <queue>

namespace zl::campaign {

namespace {

/// Single rounds are scheduled up to this many (some 300 MB); more are only filled in.
constexpr std::size_t most_single_rounds = 10'000'000;

/// Single rounds, all of job 0 first.
std::vector<Load> single_rounds(std::span<const Load> weights, unsigned rounds) {
  std::vector<Load> all;
  all.reserve(weights.size() * rounds);
  for (const auto weight : weights) all.insert(all.end(), rounds, weight);
  return all;
}

/// Pieces of a schedule of single rounds.
std::vector<Piece> gather(const Schedule& schedule, std::size_t jobs, unsigned rounds) {
  std::vector<Piece> pieces;
  for (std::uint32_t job = 0; job < jobs; ++job) {
    const auto first = schedule.machine_of.begin() + static_cast<std::ptrdiff_t>(job) * rounds;
    std::vector<std::uint32_t> machines(first, first + rounds);
    std::sort(machines.begin(), machines.end());
    for (std::size_t i = 0; i < machines.size();) {
      const auto start = i;
      while (i < machines.size() && machines[i] == machines[start]) ++i;
      pieces.push_back({machines[start], job, static_cast<unsigned>(i - start)});
    }
  }
  return pieces;
}

/// Longest first onto the machine with the most room before `deadline`, whole where the job fits;
/// else as many rounds as fit, and the rest on the next one. Nothing where rounds are left over.
std::optional<std::vector<Piece>> fill_until(Load deadline, std::span<const Load> weights,
                                             std::span<const std::uint32_t> order, unsigned rounds,
                                             std::size_t machines) {
  using Machine = std::pair<Load, std::uint32_t>;
  std::priority_queue<Machine, std::vector<Machine>, std::greater<>> least_loaded;
  for (std::uint32_t m = 0; m < machines; ++m) least_loaded.emplace(0, m);
  std::vector<Piece> pieces;
  pieces.reserve(weights.size() + machines);
  for (const auto job : order) {
    for (unsigned left = rounds; left > 0;) {
      auto [load, machine] = least_loaded.top();
      const Load fit = weights[job] == 0 ? left : (deadline - load) / weights[job];
      if (fit <= 0) return std::nullopt;  // nor do the others take a round
      const auto taken = static_cast<unsigned>(std::min<Load>(fit, left));
      least_loaded.pop();
      least_loaded.emplace(load + taken * weights[job], machine);
      pieces.push_back({machine, job, taken});
      left -= taken;
    }
  }
  return pieces;
}

Load end_of(std::span<const Piece> pieces, std::span<const Load> weights, std::size_t machines) {
  std::vector<Load> loads(machines);
  for (const auto& piece : pieces) loads[piece.machine] += piece.rounds * weights[piece.job];
  return *std::max_element(loads.begin(), loads.end());
}

/// Bisects for the earliest deadline that fill_until keeps.
void improve_by_filling(SplitSchedule& best, std::span<const Load> weights, unsigned rounds,
                        std::size_t machines) {
  const auto order = longest_first_order(weights);
  Load low = best.lower_bound;
  Load high = best.makespan;
  for (int step = 0; step < 40 && low < high; ++step) {
    const Load deadline = low + (high - low) / 2;
    if (auto pieces = fill_until(deadline, weights, order, rounds, machines)) {
      high = end_of(*pieces, weights, machines);
      if (high < best.makespan) best = {std::move(*pieces), high, best.lower_bound};
    } else {
      low = deadline + 1;
    }
  }
}

Load bound_for_rounds(std::span<const Load> weights, unsigned rounds, std::size_t machines) {
  Load sum = 0;
  Load longest = 0;
  for (const auto weight : weights) {
    sum += weight * rounds;
    longest = std::max(longest, weight);
  }
  const auto m = static_cast<Load>(machines);
  return std::max((sum + m - 1) / m, longest);
}

SplitSchedule unsplit_schedule(std::span<const Load> weights, unsigned rounds,
                               std::size_t machines) {
  const auto whole = longest_first(weights, machines);
  SplitSchedule split{{}, whole.makespan * rounds, bound_for_rounds(weights, rounds, machines)};
  for (std::uint32_t job = 0; job < weights.size(); ++job)
    split.pieces.push_back({whole.machine_of[job], job, rounds});
  return split;
}

}  // namespace

SplitSchedule split_schedule(std::span<const Load> weights, unsigned rounds, std::size_t machines,
                             bool search, const std::function<bool()>& expired) {
  auto best = unsplit_schedule(weights, rounds, machines);
  improve_by_filling(best, weights, rounds, machines);
  if (best.makespan == best.lower_bound || weights.size() > most_single_rounds / rounds)
    return best;

  const auto singles = single_rounds(weights, rounds);
  best.lower_bound = lower_bound(singles, machines);
  const auto take = [&](const Schedule& schedule) {
    if (schedule.makespan < best.makespan)
      best = {gather(schedule, weights.size(), rounds), schedule.makespan, best.lower_bound};
  };
  if (best.makespan > best.lower_bound + best.lower_bound / 100)
    take(longest_first(singles, machines));
  if (search && best.makespan > best.lower_bound) {
    const auto found = best_schedule(singles, machines, expired);
    best.lower_bound = found.lower_bound;
    take(found.schedule);
  }
  return best;
}

}  // namespace zl::campaign
