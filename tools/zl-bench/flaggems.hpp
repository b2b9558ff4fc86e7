#pragma once
// The FlagGems provider from options and environment, and --list.

#include <memory>
#include <vector>

#include "campaign/flaggems.hpp"
#include "campaign/plan.hpp"
#include "cli/run_tool.hpp"

namespace zl::bench {

/// Everything --flaggems and the options beside it say. Throws Error(usage).
campaign::FlagGemsOptions flaggems_options(const cli::Context& context);

/// Resolves every operator of the plan from FlagGems' sources, so that a wrong name costs no card
/// any time, then makes the provider. Throws Error.
std::unique_ptr<campaign::Provider> flaggems_provider(const cli::Context& context,
                                                      const backends::Backend& backend,
                                                      const std::vector<campaign::PlanRow>& plan);

/// --list: rows `op node`, in the order of the files.
void print_flaggems_list(cli::Context& context);

}  // namespace zl::bench
