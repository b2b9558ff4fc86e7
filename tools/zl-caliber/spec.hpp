#pragma once
// zl-caliber's command line.

#include "caliber/compare.hpp"
#include "cli/run_tool.hpp"

namespace zl::caliber_tool {

cli::Spec spec();

/// --ignore and --tolerance. Throws Error(usage) for a name that is no axis.
caliber::Rules rules_from(const cli::Context& context);

}  // namespace zl::caliber_tool
