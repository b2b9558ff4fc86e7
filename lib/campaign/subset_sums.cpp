#include "campaign/subset_sums.hpp"

#include <algorithm>

namespace zl::campaign {

void SubsetSums::build(std::span<const Load> numbers) {
  subsets_.assign(1, {});
  for (std::uint32_t i = 0; i < numbers.size(); ++i) {
    // The subsets without the number and those with it are both sorted: merged, not sorted anew.
    scratch_.clear();
    auto without = subsets_.begin();
    for (const auto& subset : subsets_) {
      const Subset with{subset.sum + numbers[i], subset.mask | 1U << i};
      while (without != subsets_.end() && without->sum <= with.sum) scratch_.push_back(*without++);
      scratch_.push_back(with);
    }
    scratch_.insert(scratch_.end(), without, subsets_.end());
    std::swap(subsets_, scratch_);
  }
}

std::span<const SubsetSums::Subset> SubsetSums::within(Load low, Load high) const {
  const auto first = std::partition_point(subsets_.begin(), subsets_.end(),
                                          [&](const Subset& subset) { return subset.sum < low; });
  auto last = first;
  while (last != subsets_.end() && last->sum <= high) ++last;
  return {first, last};
}

}  // namespace zl::campaign
