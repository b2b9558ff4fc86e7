#pragma once
// Rounds of one operator on several machines. A round is not divided, so each pair stays on one.

#include <functional>
#include <vector>

#include "campaign/schedule.hpp"

namespace zl::campaign {

/// Some rounds of a job on a machine.
struct Piece {
  std::uint32_t machine = 0, job = 0;
  unsigned rounds = 0;
};

struct SplitSchedule {
  std::vector<Piece> pieces;
  Load makespan = 0;
  Load lower_bound = 0;  ///< for rounds apart, on these machines
};

/// `rounds` rounds of each weight on identical machines: the earliest end among whole jobs longest
/// first, longest first with as few jobs divided as a deadline found by bisection allows, and
/// single rounds longest first; of equal ones the first. With `search`, also the best schedule of
/// single rounds, searched until `expired`.
SplitSchedule split_schedule(std::span<const Load> weights, unsigned rounds, std::size_t machines,
                             bool search, const std::function<bool()>& expired);

}  // namespace zl::campaign
