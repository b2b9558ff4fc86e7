#pragma once
// All sums of some of a few numbers, sorted: which subsets lie in a window is then a lookup
// (as one half of Horowitz and Sahni's subset sum, 1974).

#include <cstdint>
#include <span>
#include <vector>

#include "campaign/schedule.hpp"

namespace zl::campaign {

class SubsetSums {
 public:
  struct Subset {
    Load sum = 0;
    std::uint32_t mask = 0;  ///< bit i: number i is in it
  };
  static constexpr std::size_t most_numbers = 12;  ///< 4096 subsets, which stay in a cache

  void build(std::span<const Load> numbers);
  std::size_t size() const { return subsets_.size(); }
  /// Those with a sum within [low, high], ascending.
  std::span<const Subset> within(Load low, Load high) const;

 private:
  std::vector<Subset> subsets_, scratch_;
};

}  // namespace zl::campaign
