#pragma once
// Two canonical texts made comparable for the eye: SSA values and layout aliases named anew, in
// order of appearance, so that one inserted operation does not read as a rewrite of what follows.
// For showing only; no verdict looks at it.

#include <string>
#include <string_view>

namespace zl::ir {

struct RenamedPair {
  std::string before, after;
};

/// Lines that agree but for names are aligned first, and names in aligned lines become the same.
RenamedPair renamed(std::string_view before, std::string_view after);

}  // namespace zl::ir
