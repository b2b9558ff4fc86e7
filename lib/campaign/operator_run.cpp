#include "campaign/operator_run.hpp"

#include "base/error.hpp"
#include "base/text.hpp"
#include "campaign/cell_verdict.hpp"

namespace zl::campaign {

namespace {

Side other(Side side) {
  return side == Side::before ? Side::after : Side::before;
}

bool is_pair(const OpsStatus& first, const OpsStatus& second) {
  return first.status == status::ok && second.status == status::ok;
}

class OperatorRun {
 public:
  OperatorRun(CampaignState& state, const PlanRow& row, const backends::Device& device,
              const process::StopToken& stop)
      : state_(state), row_(row), device_(device), stop_(stop) {}

  OperatorEnd run() {
    const auto firsts = first_sides(state_.options.order, row_.op, state_.total_rounds.at(row_.op));
    first_side_ = firsts.front();
    if (state_.options.warm_up_round && row_.first_round == 1 && !run_round(0, first_side_))
      return end_;
    unsigned without_pair = 0;
    for (unsigned round = row_.first_round; round < row_.first_round + row_.rounds; ++round) {
      if (is_unchanged()) {
        const auto reason = not_effective();
        if (reason)
          give_up(round, status::not_effective, *reason);
        else
          give_up(round, status::no_ir_diff, "both sides compiled the same code");
        return OperatorEnd::done;
      }
      if (without_pair == 2) {
        give_up(round, status::skipped, "two rounds in a row gave no pair");
        return OperatorEnd::done;
      }
      const auto pair = run_round(round, firsts.at(round - 1));
      if (!pair) return end_;
      without_pair = *pair ? 0 : without_pair + 1;
      if (round == 1) judge();
    }
    return OperatorEnd::done;
  }

 private:
  /// Whether the round gave a pair; nothing when the operator ends here (see end_).
  std::optional<bool> run_round(unsigned round, Side first) {
    const Cell cells[] = {{row_.op, round, first}, {row_.op, round, other(first)}};
    const bool any_missing = must_run(cells[0]) || must_run(cells[1]);
    OpsStatus ended[2];
    for (int i = 0; i < 2; ++i) {
      const auto known = state_.ledger.find(cells[i]);
      const bool elsewhere = known && known->device != device_.index && any_missing;
      if (!must_run(cells[i]) && !elsewhere) {
        ended[i] = *known;
        const std::lock_guard lock(state_.mutex);
        ++state_.result.skipped;
        continue;
      }
      ended[i] = run_cell(cells[i]);
      if (end_ != OperatorEnd::done) return std::nullopt;
    }
    return is_pair(ended[0], ended[1]);
  }

  bool must_run(const Cell& cell) const {
    const auto known = state_.ledger.find(cell);
    if (!known || state_.ledger.is_missing(cell)) return true;
    const bool failed = known->status == status::failed || known->status == status::timeout ||
                        known->status == status::skipped;
    return failed && state_.options.retry_failed;
  }

  OpsStatus run_cell(const Cell& cell) {
    if (stop_.requested()) {
      end_ = OperatorEnd::stopped;
      return {};
    }
    {
      const std::lock_guard lock(state_.mutex);
      state_.events.cell_started(cell_request(state_.options, row_, cell, device_, {}));
    }
    auto ended = state_.runner.run(row_, cell, device_, first_side_, stop_);
    if (ended.status == status::interrupted) {
      end_ = OperatorEnd::stopped;
      return ended;
    }
    const std::lock_guard lock(state_.mutex);
    ++state_.result.measured;
    state_.events.cell_ended(ended);
    if (ended.status == status::failed && !device_is_there()) end_ = OperatorEnd::device_lost;
    if (ended.status == status::device_lost) end_ = OperatorEnd::device_stuck;
    return ended;
  }

  /// A device that vanished makes every program fail; only the vendor's tool can tell.
  bool device_is_there() const {
    try {
      const auto listing = state_.options.backend->list(state_.options.surroundings);
      for (const auto& device : listing.devices)
        if (device.index == device_.index && device.uuid == device_.uuid) return true;
      return false;
    } catch (const Error& error) {
      if (is_exhaustion(error)) throw;  // it could not even be asked
      return false;
    }
  }

  bool is_unchanged() const {
    if (state_.options.aa || state_.options.allow_no_ir_diff) return false;
    const std::lock_guard lock(state_.mutex);
    return state_.unchanged.contains(row_.op);
  }

  /// Why the switch cannot have been read, where the judged code tells so.
  std::optional<std::string> not_effective() const {
    const std::lock_guard lock(state_.mutex);
    const auto found = state_.judged.find(row_.op);
    if (found == state_.judged.end() || !is_not_effective(found->second)) return std::nullopt;
    return found->second.reason;
  }

  static bool is_not_effective(const ScreenRow& row) {
    return row.reason.starts_with(status::not_effective);
  }

  void judge() {
    const auto before = state_.ledger.find({row_.op, 1, Side::before});
    const auto after = state_.ledger.find({row_.op, 1, Side::after});
    if (!before || !after) return;
    auto verdict = judge_operator(state_.options.root, *before, *after);
    const std::lock_guard lock(state_.mutex);
    if (verdict.status == screen_status::same) state_.unchanged.insert(row_.op);
    if (is_not_effective(verdict) && !state_.options.aa)
      state_.events.warning(row_.op + ": " + verdict.reason);
    if (state_.options.screen) state_.events.screened(verdict);
    state_.judged[row_.op] = std::move(verdict);
  }

  void give_up(unsigned from_round, const char* status, const std::string& reason) {
    auto rest = row_;
    rest.rounds = row_.first_round + row_.rounds - from_round;
    rest.first_round = from_round;
    give_up_operator(state_, rest, device_, status, reason);
  }

  CampaignState& state_;
  const PlanRow& row_;
  const backends::Device& device_;
  const process::StopToken& stop_;
  Side first_side_ = Side::before;
  OperatorEnd end_ = OperatorEnd::done;
};

}  // namespace

OperatorEnd run_operator(CampaignState& state, const PlanRow& row, const backends::Device& device,
                         const process::StopToken& stop) {
  return OperatorRun(state, row, device, stop).run();
}

void give_up_operator(CampaignState& state, const PlanRow& row, const backends::Device& device,
                      const char* status, const std::string& reason) {
  for (unsigned round = row.first_round; round < row.first_round + row.rounds; ++round) {
    for (const Side side : {Side::before, Side::after}) {
      OpsStatus ended;
      ended.cell = {row.op, round, side};
      if (!state.ledger.is_missing(ended.cell)) continue;
      ended.device = device.index;
      ended.status = status;
      ended.backend = state.options.backend->traits.name;
      ended.note = reason;
      state.ledger.note_cell(ended);
      const std::lock_guard lock(state.mutex);
      state.events.cell_ended(ended);
    }
  }
}

}  // namespace zl::campaign
