#pragma once
// One cell from start to ledger: folder, identity, telemetry, the provider's work, rows.

#include <map>
#include <mutex>
#include <string>

#include "campaign/campaign.hpp"

namespace zl::telemetry {
class Recorder;
}

namespace zl::campaign {

/// The cell as the provider sees it; `folder` is where it is measured.
CellRequest cell_request(const CampaignOptions& options, const PlanRow& row, const Cell& cell,
                         const backends::Device& device, const std::filesystem::path& folder);

class CellRunner {
 public:
  /// Everything is borrowed and must outlive the runner; `recorder` may be null.
  CellRunner(const CampaignOptions& options, const Provider& provider, Ledger& ledger,
             telemetry::Recorder* recorder);

  /// Measures one cell and records how it ended. An operator's failure, a program that cannot be
  /// started included, is a status. Throws Error(environment) when the root cannot be written or
  /// the machine has nothing left to start programs with; the cell is then missing, as before.
  /// `first_side` is the side that runs first in the operator's round 1.
  OpsStatus run(const PlanRow& row, const Cell& cell, const backends::Device& device,
                Side first_side, const process::StopToken& stop) const;

 private:
  OpsStatus measured(const CellRequest& wanted, const process::StopToken& stop) const;
  formats::RunIdentity identity(const CellRequest& request, const Prepared& prepared) const;

  const CampaignOptions& options_;
  const Provider& provider_;
  Ledger& ledger_;
  telemetry::Recorder* recorder_;
};

}  // namespace zl::campaign
