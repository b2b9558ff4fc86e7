#pragma once
// From options to a campaign: devices, plan, provider.

#include <memory>

#include "campaign/campaign.hpp"
#include "campaign/provider.hpp"
#include "cli/run_tool.hpp"

namespace zl::bench {

struct Asked {
  campaign::CampaignOptions options;
  std::unique_ptr<campaign::Provider> provider;
};

/// Everything validated; reads the plan (from the root when it is resumed), asks the backend for
/// its devices, changes nothing. Throws Error.
Asked asked(cli::Context& context, bool resumed);

/// command or flaggems. Throws Error(usage) for any other.
std::string provider_name(const cli::Context& context);

}  // namespace zl::bench
