#pragma once
// What a person at a terminal sees: which cells run, how far the campaign is, the time left.

#include <string>
#include <vector>

#include "campaign/campaign.hpp"

namespace zl::bench {

/// One line on stderr, rewritten in place; silent where stderr is no terminal. Times left come
/// from the plan's estimates, scaled by how the cells so far compare with them; without
/// estimates, from the mean cell.
class Progress {
 public:
  /// Cells that `ledger` knows as ended count as done.
  Progress(const campaign::CampaignOptions& options, const campaign::Ledger& ledger);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  void started(const campaign::CellRequest& request);
  void ended(const campaign::OpsStatus& row);
  /// Takes the line away, so that a message or a row can be printed.
  void clear();

 private:
  void draw() const;
  double left_s() const;

  bool shown_;
  std::size_t total_ = 0, done_ = 0, earlier_ = 0;  ///< cells; earlier: of other calls
  double planned_s_ = 0, planned_done_s_ = 0, spent_s_ = 0;
  std::size_t devices_ = 1;
  std::map<std::string, double> cell_estimate_s_;
  std::map<std::string, std::string> running_;  ///< device → cell
};

}  // namespace zl::bench
