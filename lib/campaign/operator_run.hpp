#pragma once
// The rounds of one operator on one device: which cells are run, in which order, and when the
// rest is not worth a card's time.

#include <functional>
#include <map>
#include <set>
#include <string>

#include "campaign/cell_runner.hpp"

namespace zl::campaign {

/// What several devices share while a campaign runs. Everything here is thread-safe.
struct CampaignState {
  const CampaignOptions& options;
  CellRunner& runner;
  Ledger& ledger;
  std::map<std::string, unsigned> total_rounds;  ///< of each operator, over all plan rows

  std::mutex mutex;  ///< guards what follows, and the events
  const CampaignEvents& events;
  CampaignResult result;
  std::set<std::string> unchanged;  ///< operators whose code the switch did not change
  std::map<std::string, ScreenRow> judged;
};

enum class OperatorEnd { done, stopped, device_lost, device_stuck };

/// Runs the rounds of a plan row on a device. The rules:
/// - a cell that already ended well is not run again, unless its round's other side is missing
///   and it stood on another device: both sides of a round belong to one card;
/// - after round 1, identical generated code on both sides ends the operator
///   (SWITCH_NO_IR_DIFF, or SWITCH_NOT_EFFECTIVE where it even stands under the same cache keys),
///   unless the options allow it, or there is no code to compare;
/// - two rounds in a row without a pair end the operator (SKIPPED);
/// - a failure on a device that is no longer there ends it as DEVICE_LOST, and so does a program
///   that cannot be ended: the next one would be measured beside it.
OperatorEnd run_operator(CampaignState& state, const PlanRow& row, const backends::Device& device,
                         const process::StopToken& stop);

/// Records DEVICE_LOST for every cell of a plan row that is still missing.
void give_up_operator(CampaignState& state, const PlanRow& row, const backends::Device& device,
                      const char* status, const std::string& reason);

}  // namespace zl::campaign
