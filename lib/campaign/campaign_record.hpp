#pragma once
// campaign.json and plan.tsv in a root: what was asked, so that --resume needs no repetition of
// it, and a reader knows what the figures answer.

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "backends/backend.hpp"
#include "campaign/plan.hpp"
#include "campaign/run_folder.hpp"

namespace zl::campaign {

struct CampaignRecord {
  std::string tool_version, started_at, host, backend, provider;
  std::vector<backends::Device> devices;
  std::map<std::string, std::vector<std::string>> options;  ///< long name → values, environment
                                                            ///< variables already resolved
};

std::string print_campaign_record(const CampaignRecord& record);
/// Reads ROOT/campaign.json; nothing where there is none. Throws Error(input) when malformed.
std::optional<CampaignRecord> read_campaign_record(const std::filesystem::path& root);

/// A plan as one text, with the columns that its rows need.
std::string print_plan(const std::vector<PlanRow>& plan);

}  // namespace zl::campaign
