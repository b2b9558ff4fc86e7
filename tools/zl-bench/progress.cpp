#include "progress.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <iostream>

#include "base/text.hpp"
#include "base/time.hpp"

namespace zl::bench {

Progress::Progress(const campaign::CampaignOptions& options, const campaign::Ledger& ledger)
    : shown_(::isatty(STDERR_FILENO) != 0), devices_(options.devices.size()) {
  for (const auto& row : options.plan) {
    total_ += std::size_t{2} * row.rounds;
    planned_s_ += row.estimate_s;
    if (row.estimate_s > 0) cell_estimate_s_[row.op] = row.estimate_s / (2.0 * row.rounds);
    for (unsigned round = row.first_round; round < row.first_round + row.rounds; ++round)
      for (const auto side : {campaign::Side::before, campaign::Side::after})
        if (!ledger.is_missing({row.op, round, side}))
          ++done_, planned_s_ -= cell_estimate_s_[row.op];
  }
  earlier_ = done_;
}

Progress::~Progress() {
  clear();
}

void Progress::started(const campaign::CellRequest& request) {
  running_[request.device.index] = request.cell.op + " r" + std::to_string(request.cell.round) +
                                   " " + campaign::side_name(request.cell.side);
  draw();
}

void Progress::ended(const campaign::OpsStatus& row) {
  running_.erase(row.device);
  ++done_;
  spent_s_ += row.elapsed_s;
  if (const auto estimate = cell_estimate_s_.find(row.cell.op); estimate != cell_estimate_s_.end())
    planned_done_s_ += estimate->second;
  draw();
}

double Progress::left_s() const {
  const double devices = static_cast<double>(devices_ == 0 ? 1 : devices_);
  if (planned_s_ > 0 && planned_done_s_ > 0)
    return (planned_s_ - planned_done_s_) * (spent_s_ / planned_done_s_) / devices;
  if (planned_s_ > 0) return planned_s_ / devices;
  if (done_ == earlier_) return 0;
  return spent_s_ / static_cast<double>(done_ - earlier_) * static_cast<double>(total_ - done_) /
         devices;
}

void Progress::draw() const {
  if (!shown_) return;
  std::string line = "[" + std::to_string(done_) + "/" + std::to_string(total_) + "]";
  for (const auto& [device, cell] : running_) line += " " + device + ": " + printable(cell);
  if (left_s() > 0) line += "  " + format_duration(left_s()) + " left";
  struct winsize size {};
  const std::size_t width =
      ::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 1 ? size.ws_col - 1U : 79U;
  if (line.size() > width) line.resize(width);
  std::cerr << "\r\x1b[K" << line << std::flush;
}

void Progress::clear() {
  if (shown_) std::cerr << "\r\x1b[K" << std::flush;
}

}  // namespace zl::bench
