#pragma once
// Where the plan comes from: a root that is resumed, --ops, operands, or standard input.

#include <vector>

#include "campaign/plan.hpp"
#include "cli/run_tool.hpp"

namespace zl::bench {

/// Rows of the plan. Those that come from names or from rows without a device have `device` "".
std::vector<campaign::PlanRow> read_input(cli::Context& context, bool resumed);

}  // namespace zl::bench
