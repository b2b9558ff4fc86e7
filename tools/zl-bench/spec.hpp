#pragma once
// zl-bench's command line, and the environment variables that stand for its options.

#include <map>
#include <string>
#include <vector>

#include "cli/run_tool.hpp"

namespace zl::bench {

cli::Spec spec();

/// Fills in options that the environment names and the command line does not, so that what
/// follows (and campaign.json) knows options only. Throws Error(usage) on a bad value.
void take_environment(cli::Context& context);

/// On --resume: fills in what the recorded campaign was asked. Throws Error(usage) when an option
/// that decides what is measured is given differently now.
void take_record(cli::Context& context,
                 const std::map<std::string, std::vector<std::string>>& recorded);

/// The options as campaign.json keeps them.
std::map<std::string, std::vector<std::string>> recorded_options(const cli::Context& context);

}  // namespace zl::bench
