#pragma once
// The options that choose what counts as code, shared by the tools that judge it.

#include "cli/run_tool.hpp"
#include "ir/criterion.hpp"

namespace zl::cli {

OptionGroup criterion_options();
/// Throws Error(usage) for a value that cannot be meant.
ir::Criterion criterion_from(const Context& context);

}  // namespace zl::cli
