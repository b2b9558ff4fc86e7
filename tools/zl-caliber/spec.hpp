#pragma once
// zl-caliber's command line.

#include "cli/run_tool.hpp"

namespace zl::caliber_tool {

cli::Spec spec();

}  // namespace zl::caliber_tool
