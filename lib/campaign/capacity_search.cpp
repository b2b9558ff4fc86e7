#include "campaign/capacity_search.hpp"

#include <algorithm>
#include <numeric>

namespace zl::campaign {

namespace {
constexpr std::size_t most_remembered_jobs = 256;      // bits of a key
constexpr std::size_t most_remembered_sets = 500'000;  // about 40 MB
constexpr std::uint64_t steps_between_clocks = 4096;
}  // namespace

CapacitySearch::CapacitySearch(std::span<const Load> sorted, std::size_t machines,
                               std::function<bool()> expired)
    : sorted_(sorted),
      machines_(machines),
      expired_(std::move(expired)),
      levels_(machines),
      machine_of_(sorted.size()) {}

void CapacitySearch::Level::assign(std::vector<std::uint32_t> jobs_left,
                                   std::span<const Load> sorted) {
  jobs = std::move(jobs_left);
  load.resize(jobs.size());
  rest.assign(jobs.size() + 1, 0);
  for (std::size_t i = jobs.size(); i-- > 0;) {
    load[i] = sorted[jobs[i]];
    rest[i] = rest[i + 1] + load[i];
  }
}

CapacitySearch::Answer CapacitySearch::decide(Load capacity, std::uint64_t most_steps) {
  capacity_ = capacity;
  steps_left_ = most_steps;
  failed_.clear();
  std::vector<std::uint32_t> all(sorted_.size());
  std::iota(all.begin(), all.end(), 0U);
  levels_.front().assign(std::move(all), sorted_);
  return place(0);
}

bool CapacitySearch::out_of_steps() {
  if (steps_left_ == 0) return true;
  --steps_left_;
  if (steps_left_ % steps_between_clocks == 0 && expired_()) steps_left_ = 0;
  return steps_left_ == 0;
}

bool CapacitySearch::hopeless(const Level& level, std::size_t machines) const {
  for (std::size_t k = 1; k * machines < level.jobs.size(); ++k) {
    const auto last = k * machines + 1;
    if (level.rest[last - k - 1] - level.rest[last] > capacity_) return true;
  }
  return too_many_for_bins(level.load, machines, capacity_);
}

/// Places the jobs of level `machine` on this machine and those after it.
CapacitySearch::Answer CapacitySearch::place(std::size_t machine) {
  const Level& level = levels_[machine];
  const auto machines = machines_ - machine;
  const Load spare = static_cast<Load>(machines) * capacity_ - level.rest.front();
  if (spare < 0) return Answer::does_not_fit;
  if (level.jobs.size() <= machines || machines == 1) {
    for (std::size_t i = 0; i < level.jobs.size(); ++i)
      machine_of_[level.jobs[i]] = static_cast<std::uint32_t>(machine + (machines == 1 ? 0 : i));
    return machines == 1 || level.load.front() <= capacity_ ? Answer::fits : Answer::does_not_fit;
  }
  if (hopeless(level, machines)) return Answer::does_not_fit;
  const bool remember = machine > 0 && machines > 2 && sorted_.size() <= most_remembered_jobs;
  const Key key = remember ? key_of(machine) : Key{};
  if (remember && failed_.count(key) != 0) return Answer::does_not_fit;
  const auto answer = complete(machine, spare);
  if (remember && answer == Answer::does_not_fit && failed_.size() < most_remembered_sets)
    failed_.insert(key);
  return answer;
}

/// Tries every completion of this machine that is not dominated, longer jobs first.
CapacitySearch::Answer CapacitySearch::complete(std::size_t machine, Load spare) {
  const Level& level = levels_[machine];
  const auto& load = level.load;
  std::vector<Choice> choices = {{0, capacity_, spare}};
  Load room = capacity_ - load.front();
  std::size_t next = 1;
  while (true) {
    if (out_of_steps()) return Answer::gave_up;
    // The longest job that still fits; what is skipped is longer than the room.
    next =
        static_cast<std::size_t>(std::lower_bound(load.begin() + static_cast<std::ptrdiff_t>(next),
                                                  load.end(), room, std::greater<>()) -
                                 load.begin());
    if (room - level.rest[next] <= spare) {
      if (next < load.size()) {
        choices.push_back({static_cast<std::uint32_t>(next), room, spare});
        room -= load[next++];
        continue;
      }
      if (!dominated(level, choices, room)) {
        const auto answer = descend(machine, choices);
        if (answer != Answer::does_not_fit) return answer;
      }
    }
    // Back: leave out the last job that can be left out; then the room that stays must be
    // smaller than it. Where only one job fitted, any shorter one in its place is dominated.
    while (true) {
      const Choice last = choices.back();
      if (choices.size() == 1) return Answer::does_not_fit;
      choices.pop_back();
      if (last.room < 2 * load.back()) continue;
      room = last.room;
      spare = std::min(last.spare, load[last.at] - 1);
      next = last.at + 1;
      while (next < load.size() && load[next] == load[last.at]) ++next;
      break;
    }
  }
}

bool CapacitySearch::dominated(const Level& level, const std::vector<Choice>& choices, Load room) {
  if (room == 0) return false;
  Load longer = 0;  // the last job passed that was left out: the shortest that is longer
  std::size_t taken = 0;
  for (std::size_t i = 0; taken < choices.size(); ++i) {
    if (choices[taken].at != i) {
      longer = level.load[i];
      continue;
    }
    if (longer > level.load[i] && longer - level.load[i] <= room) return true;
    ++taken;
  }
  return false;
}

CapacitySearch::Answer CapacitySearch::descend(std::size_t machine,
                                               const std::vector<Choice>& choices) {
  const Level& level = levels_[machine];
  std::vector<std::uint32_t> left;
  left.reserve(level.jobs.size() - choices.size());
  std::size_t taken = 0;
  for (std::size_t i = 0; i < level.jobs.size(); ++i) {
    if (taken < choices.size() && choices[taken].at == i)
      ++taken;
    else
      left.push_back(level.jobs[i]);
  }
  levels_[machine + 1].assign(std::move(left), sorted_);
  const auto answer = place(machine + 1);
  if (answer == Answer::fits)
    for (const auto& choice : choices)
      machine_of_[level.jobs[choice.at]] = static_cast<std::uint32_t>(machine);
  return answer;
}

CapacitySearch::Key CapacitySearch::key_of(std::size_t machine) const {
  Key key{};
  for (const auto job : levels_[machine].jobs) key[job / 64] |= std::uint64_t{1} << (job % 64);
  key[4] = machine;
  return key;
}

std::size_t CapacitySearch::KeyHash::operator()(const Key& key) const {
  std::uint64_t hash = 0;
  for (const auto word : key) hash = (hash ^ word) * 0x9E3779B97F4A7C15U, hash ^= hash >> 32;
  return static_cast<std::size_t>(hash);
}

}  // namespace zl::campaign
