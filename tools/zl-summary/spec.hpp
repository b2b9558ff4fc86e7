#pragma once
// zl-summary's command line.

#include "cli/run_tool.hpp"

namespace zl::summary_tool {

cli::Spec spec();

}  // namespace zl::summary_tool
