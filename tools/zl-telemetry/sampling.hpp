#pragma once
// The sampling half of zl-telemetry: which devices, how often, beside which command.

#include "cli/run_tool.hpp"

namespace zl::telemetry_tool {

/// Samples as the options say; returns the exit status.
int sample(cli::Context& context);

}  // namespace zl::telemetry_tool
