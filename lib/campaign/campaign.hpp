#pragma once
// A campaign: operators × rounds × two sides, measured on one queue a device, devices in
// parallel, one cell at a time within a device. What happens is told through events; nothing is
// printed here.

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "backends/backend.hpp"
#include "campaign/ledger.hpp"
#include "campaign/order.hpp"
#include "campaign/plan.hpp"
#include "campaign/provider.hpp"
#include "campaign/screen.hpp"
#include "process/stop.hpp"

namespace zl::campaign {

struct Switch {
  std::string name;                          ///< environment variable; "" for none
  std::optional<std::string> before, after;  ///< nothing: unset on that side
};

struct CampaignOptions {
  std::filesystem::path root;
  Switch axis;
  Order order;
  std::vector<PlanRow> plan;              ///< device by index, see PlanRow
  std::vector<backends::Device> devices;  ///< the queues
  const backends::Backend* backend = nullptr;
  backends::Surroundings surroundings;
  std::string driver, host, tool_version;
  std::optional<double> timeout_s;    ///< a cell
  double telemetry_interval_s = 1.0;  ///< 0: no telemetry
  bool warm_up_round = false;         ///< a round 0 before the first, never counted
  bool screen = false;                ///< one round, judge every operator, write screen.tsv
  bool aa = false;                    ///< the before side against itself
  bool allow_no_ir_diff = false;      ///< go on although no generated code changed
  bool static_plan = false;           ///< a device that runs dry stays idle
  bool retry_failed = false;          ///< cells that failed or timed out run again
};

struct CampaignEvents {
  std::function<void(const CellRequest&)> cell_started = [](const CellRequest&) {};
  std::function<void(const OpsStatus&)> cell_ended = [](const OpsStatus&) {};
  std::function<void(const ScreenRow&)> screened = [](const ScreenRow&) {};
  std::function<void(const std::string&)> warning = [](const std::string&) {};
};

/// Rounds of each operator, over all rows of a plan.
std::map<std::string, unsigned> total_rounds(const std::vector<PlanRow>& plan);

struct CampaignResult {
  std::size_t measured = 0;  ///< cells that ended in this run, whatever their status
  std::size_t failed = 0;    ///< cells of the whole campaign that failed
  std::size_t skipped = 0;   ///< cells that an earlier run had finished
  bool stopped = false;
};

/// Runs what is missing. Events come one at a time. Throws Error(environment) when the root
/// cannot be written; an operator's failure never stops the others.
CampaignResult run_campaign(const CampaignOptions& options, const Provider& provider,
                            Ledger& ledger, const CampaignEvents& events,
                            const process::StopToken& stop);

}  // namespace zl::campaign
