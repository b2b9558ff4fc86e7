#include "campaign/schedule.hpp"

#include <algorithm>
#include <numeric>
#include <queue>

namespace zl::campaign {

Load makespan_of(std::span<const Load> jobs, std::span<const std::uint32_t> machine_of,
                 std::size_t machines) {
  std::vector<Load> loads(machines);
  for (std::size_t i = 0; i < jobs.size(); ++i) loads[machine_of[i]] += jobs[i];
  return *std::max_element(loads.begin(), loads.end());
}

std::vector<std::uint32_t> longest_first_order(std::span<const Load> jobs) {
  std::vector<std::uint32_t> order(jobs.size());
  std::iota(order.begin(), order.end(), 0U);
  std::stable_sort(order.begin(), order.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return jobs[a] > jobs[b]; });
  return order;
}

Schedule longest_first(std::span<const Load> jobs, std::size_t machines) {
  using Machine = std::pair<Load, std::uint32_t>;  // equal loads: the lower number first
  std::priority_queue<Machine, std::vector<Machine>, std::greater<>> free;
  for (std::uint32_t m = 0; m < machines; ++m) free.emplace(0, m);
  Schedule schedule{std::vector<std::uint32_t>(jobs.size()), 0};
  for (const auto job : longest_first_order(jobs)) {
    auto [load, machine] = free.top();
    free.pop();
    load += jobs[job];
    schedule.machine_of[job] = machine;
    schedule.makespan = std::max(schedule.makespan, load);
    free.emplace(load, machine);
  }
  return schedule;
}

namespace {

/// The leftmost bin with room, in O(log bins): a tree whose nodes hold the most room below them.
class FirstFit {
 public:
  FirstFit(std::size_t bins, Load capacity) {
    while (leaves_ < bins) leaves_ *= 2;
    room_.assign(2 * leaves_, -1);
    for (std::size_t i = 0; i < bins; ++i) room_[leaves_ + i] = capacity;
    for (std::size_t i = leaves_ - 1; i > 0; --i)
      room_[i] = std::max(room_[2 * i], room_[2 * i + 1]);
  }

  std::optional<std::uint32_t> place(Load job) {
    if (room_[1] < job) return std::nullopt;
    std::size_t node = 1;
    while (node < leaves_) node = room_[2 * node] >= job ? 2 * node : 2 * node + 1;
    const auto bin = static_cast<std::uint32_t>(node - leaves_);
    room_[node] -= job;
    for (node /= 2; node > 0; node /= 2)
      room_[node] = std::max(room_[2 * node], room_[2 * node + 1]);
    return bin;
  }

 private:
  std::size_t leaves_ = 1;
  std::vector<Load> room_;
};

}  // namespace

std::optional<Schedule> multifit(std::span<const Load> jobs, std::size_t machines, Load low,
                                 Load high) {
  const auto order = longest_first_order(jobs);
  std::optional<Schedule> best;
  std::vector<std::uint32_t> machine_of(jobs.size());
  for (int step = 0; step < 40 && low < high; ++step) {
    const Load capacity = low + (high - low) / 2;
    FirstFit bins(machines, capacity);
    const bool fits = std::all_of(order.begin(), order.end(), [&](std::uint32_t job) {
      const auto bin = bins.place(jobs[job]);
      if (bin) machine_of[job] = *bin;
      return bin.has_value();
    });
    if (fits) {
      high = makespan_of(jobs, machine_of, machines);
      best = Schedule{machine_of, high};
    } else {
      low = capacity + 1;
    }
  }
  return best;
}

bool too_many_for_bins(std::span<const Load> sorted, std::size_t bins, Load capacity) {
  // For each threshold t ≤ capacity / 2: jobs over half take a bin each; those of them up to
  // capacity − t leave room, which the jobs from half down to t share before they take new bins.
  std::size_t over_half = 0;
  while (over_half < sorted.size() && 2 * sorted[over_half] > capacity) ++over_half;
  if (over_half > bins) return true;
  std::size_t closed = over_half;  // jobs longer than capacity − t, whose room nothing uses
  Load room = 0;
  Load small = 0;
  for (std::size_t i = over_half; i < sorted.size();) {
    const Load t = sorted[i];
    while (i < sorted.size() && sorted[i] == t) small += sorted[i++];
    while (closed > 0 && sorted[closed - 1] <= capacity - t) room += capacity - sorted[--closed];
    const Load unhoused = small - room;
    if (unhoused > static_cast<Load>(bins - over_half) * capacity) return true;
  }
  return false;
}

Load lower_bound(std::span<const Load> jobs, std::size_t machines) {
  if (jobs.empty()) return 0;
  std::vector<Load> sorted(jobs.begin(), jobs.end());
  std::sort(sorted.begin(), sorted.end(), std::greater<>());
  std::vector<Load> sums(sorted.size() + 1);
  std::partial_sum(sorted.begin(), sorted.end(), sums.begin() + 1);
  const auto m = static_cast<Load>(machines);
  Load bound = std::max(sorted.front(), (sums.back() + m - 1) / m);
  for (std::size_t k = 1; k * machines < sorted.size(); ++k) {
    const auto last = k * machines + 1;  // of the `last` longest, k + 1 share a machine
    bound = std::max(bound, sums[last] - sums[last - k - 1]);
  }
  return bound;
}

}  // namespace zl::campaign
