#pragma once
// Two trees side by side: which kernels differ, and whether the switch changed any code. No
// kernel on a side is never "same": nothing was looked at then.

#include <string>
#include <vector>

#include "ir/tree.hpp"

namespace zl::ir {

enum class Change { changed, only_before, only_after };
const char* change_name(Change change);

/// One kernel that differs. Where several kernels of one name differ, they are paired in order of
/// size; which of them belong together, no name says.
struct Difference {
  Change change = Change::changed;
  const Kernel* before = nullptr;  ///< into the trees compared; null where it is missing
  const Kernel* after = nullptr;
  std::string name() const;
};

struct Comparison {
  std::vector<Difference> differences;  ///< sorted by name
  std::size_t same = 0;                 ///< pairs of kernels with one digest
  std::size_t count(Change change) const;
};

/// Kernels of one name are compared as a multiset of digests. Throws Error(usage) when the trees
/// were read by different criteria.
Comparison compare_trees(const Tree& before, const Tree& after);

enum class Answer { same, different, none };

struct Verdict {
  Answer answer = Answer::none;
  std::size_t kernels_before = 0, kernels_after = 0;
  std::size_t conversions_before = 0, conversions_after = 0;
  std::string criterion;
  std::string reason;  ///< what differs, or why there is no answer; "" for a plain same
};

/// Kernels that were cut short (empty, or a module without its end) prove nothing: unless others
/// differ, there is no answer then.
Verdict judge(const Tree& before, const Tree& after, const Comparison& comparison);
Verdict judge(const Tree& before, const Tree& after);

/// `KEY/name` of each kernel that stands under the same cache key in both raw caches. With
/// separate caches that means that the switch is not in the key or was not read.
std::vector<std::string> shared_cache_keys(const Tree& before, const Tree& after);

}  // namespace zl::ir
