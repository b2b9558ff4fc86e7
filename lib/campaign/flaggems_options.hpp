#pragma once
// Which combinations of the FlagGems options make sense, and the timer that they mean.

#include <string>

#include "campaign/flaggems.hpp"

namespace zl::campaign {

/// graph, direct, operator or wrapper. Throws Error(usage) where the mode, the timer and the
/// backend contradict each other.
std::string timer_of(const FlagGemsOptions& options, const backends::Traits& traits);

/// Throws Error(usage) for options that cannot be honoured; touches nothing.
void check_flaggems_options(const FlagGemsOptions& options, const backends::Backend& backend,
                            const process::Environment& environment);

}  // namespace zl::campaign
