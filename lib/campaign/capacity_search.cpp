#include "campaign/capacity_search.hpp"

#include <algorithm>
#include <bit>
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

std::size_t CapacitySearch::Level::first_within(Load room, std::size_t from) const {
  return static_cast<std::size_t>(std::lower_bound(load.begin() + static_cast<std::ptrdiff_t>(from),
                                                   load.end(), room, std::greater<>()) -
                                  load.begin());
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

bool CapacitySearch::spend(std::uint64_t steps) {
  if (steps_left_ <= steps) return false;
  const auto before = steps_left_ / steps_between_clocks;
  steps_left_ -= steps;
  if (steps_left_ / steps_between_clocks != before && expired_()) steps_left_ = 0;
  return steps_left_ > 0;
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

/// Tries every completion of this machine that is not dominated, longer jobs first. Where so little
/// room is to spare that no job fits into it, the shorter jobs are not tried one by one: their
/// subsets that fill the room that is left are looked up.
CapacitySearch::Answer CapacitySearch::complete(std::size_t machine, Load spare) {
  Level& level = levels_[machine];
  const auto& load = level.load;
  level.tail = load.size();
  if (spare < load.back()) {
    level.tail -= std::min(SubsetSums::most_numbers, load.size() / 3);
    level.tail_sums.build(std::span(load).subspan(level.tail));
    level.tail_equal = 0;
    for (std::size_t i = level.tail + 1; i < load.size(); ++i)
      if (load[i] == load[i - 1]) level.tail_equal |= std::uint32_t{1} << (i - level.tail);
    if (!spend(level.tail_sums.size() / 4)) return Answer::gave_up;
  }
  std::vector<Choice> choices = {{0, capacity_, spare}};
  Load room = capacity_ - load.front();
  std::size_t next = 1;
  while (true) {
    if (!spend(1)) return Answer::gave_up;
    next = level.first_within(room, next);
    if (room - level.rest[next] <= spare) {
      if (next < level.tail) {
        choices.push_back({static_cast<std::uint32_t>(next), room, spare});
        room -= load[next++];
        continue;
      }
      const auto answer = complete_tail(machine, choices, {0, room, spare}, next);
      if (answer != Answer::does_not_fit) return answer;
    }
    // Back: leave out the last job that can be; the room that stays must then be smaller than it.
    // Where only one job fitted, any shorter one in its place is dominated.
    while (choices.size() > 1 && choices.back().room < 2 * load.back()) choices.pop_back();
    if (choices.size() == 1) return Answer::does_not_fit;
    const Choice last = choices.back();
    choices.pop_back();
    room = last.room;
    spare = std::min(last.spare, load[last.at] - 1);
    next = last.at + 1;
    while (next < load.size() && load[next] == load[last.at]) ++next;
  }
}

/// Adds to the choices each subset of the level's tail, from position `next` on, that leaves at
/// most left.spare of left.room. Without a tail there is only the empty one.
CapacitySearch::Answer CapacitySearch::complete_tail(std::size_t machine,
                                                     std::vector<Choice>& choices,
                                                     const Choice& left, std::size_t next) {
  const Level& level = levels_[machine];
  if (level.tail == level.load.size())
    return dominated(level, choices, left.room) ? Answer::does_not_fit : descend(machine, choices);
  const auto barred = (std::uint32_t{1} << (next - level.tail)) - 1;
  const auto before = choices.size();
  for (const auto& subset : level.tail_sums.within(left.room - left.spare, left.room)) {
    if (!spend(1)) return Answer::gave_up;
    // Of equal jobs the first ones are taken; the others would be the same again.
    if ((subset.mask & (barred | (level.tail_equal & ~(subset.mask << 1)))) != 0) continue;
    for (auto rest = subset.mask; rest != 0; rest &= rest - 1)
      choices.push_back({static_cast<std::uint32_t>(level.tail) +
                             static_cast<std::uint32_t>(std::countr_zero(rest)),
                         0, 0});
    const auto answer = dominated(level, choices, left.room - subset.sum)
                            ? Answer::does_not_fit
                            : descend(machine, choices);
    if (answer != Answer::does_not_fit) return answer;
    choices.resize(before);
  }
  return Answer::does_not_fit;
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
