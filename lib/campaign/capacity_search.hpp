#pragma once
// Do jobs fit onto machines that all end by a given time? The decision behind best_schedule.

#include <array>
#include <functional>
#include <unordered_set>
#include <vector>

#include "campaign/schedule.hpp"
#include "campaign/subset_sums.hpp"

namespace zl::campaign {

/// Bin completion: the longest job that is left opens a machine, which is then filled in every
/// way that no other way dominates; then the next machine. A way is dominated when a job that is
/// left out fits into the room that is left, or fits in place of a shorter one of those put in.
class CapacitySearch {
 public:
  enum class Answer { fits, does_not_fit, gave_up };

  /// `sorted`, longest first, must outlive the search. `expired` is asked every few thousand steps.
  CapacitySearch(std::span<const Load> sorted, std::size_t machines, std::function<bool()> expired);

  /// Gives up after `most_steps`, or when expired.
  Answer decide(Load capacity, std::uint64_t most_steps);

  /// After `fits`: the machine of each job, in the order of `sorted`.
  const std::vector<std::uint32_t>& machine_of() const { return machine_of_; }

 private:
  /// The jobs still to be placed when a machine is opened.
  struct Level {
    std::vector<std::uint32_t> jobs;  ///< positions in sorted_, ascending: longest first
    std::vector<Load> load, rest;     ///< of each; sum from each to the end, which is 0
    std::size_t tail = 0;             ///< from here on subsets are looked up; the end: none are
    SubsetSums tail_sums;
    std::uint32_t tail_equal = 0;  ///< bit i: job i of the tail is as long as the one before
    void assign(std::vector<std::uint32_t> jobs_left, std::span<const Load> sorted);
    /// The longest job that fits into `room`, from position `from` on.
    std::size_t first_within(Load room, std::size_t from) const;
  };
  struct Choice {
    std::uint32_t at;  ///< position in the level
    Load room;         ///< before it was put in
    Load spare;        ///< the most room that may stay, with the jobs left out so far
  };
  using Key = std::array<std::uint64_t, 5>;
  struct KeyHash {
    std::size_t operator()(const Key& key) const;
  };

  Answer place(std::size_t machine);
  Answer complete(std::size_t machine, Load spare);
  Answer complete_tail(std::size_t machine, std::vector<Choice>& choices, const Choice& left,
                       std::size_t next);
  Answer descend(std::size_t machine, const std::vector<Choice>& choices);
  bool hopeless(const Level& level, std::size_t machines) const;
  static bool dominated(const Level& level, const std::vector<Choice>& choices, Load room);
  /// False when the steps or the time are used up.
  bool spend(std::uint64_t steps);
  Key key_of(std::size_t machine) const;

  std::span<const Load> sorted_;
  std::size_t machines_;
  std::function<bool()> expired_;
  Load capacity_ = 0;
  std::uint64_t steps_left_ = 0;
  std::vector<Level> levels_;
  std::vector<std::uint32_t> machine_of_;
  std::unordered_set<Key, KeyHash> failed_;  ///< sets of jobs known not to fit what was left
};

}  // namespace zl::campaign
