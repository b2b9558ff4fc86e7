#include "campaign/campaign.hpp"

#include <signal.h>

#include <algorithm>
#include <condition_variable>
#include <exception>
#include <thread>

#include "base/error.hpp"
#include "base/files.hpp"
#include "base/text.hpp"
#include "campaign/dispatch.hpp"
#include "campaign/operator_run.hpp"
#include "telemetry/recorder.hpp"

namespace zl::campaign {

std::map<std::string, unsigned> total_rounds(const std::vector<PlanRow>& plan) {
  std::map<std::string, unsigned> rounds;
  for (const auto& row : plan)
    rounds[row.op] = std::max(rounds[row.op], row.first_round + row.rounds - 1);
  return rounds;
}

namespace {

/// One thread a device; the calling thread watches over them.
class Queues {
 public:
  Queues(CampaignState& state, Dispatcher dispatcher)
      : state_(state), dispatcher_(std::move(dispatcher)) {}

  void run(const process::StopToken& stop) {
    const auto& devices = state_.options.devices;
    running_ = devices.size();
    std::vector<std::thread> threads;
    for (std::size_t i = 0; i < devices.size(); ++i)
      threads.emplace_back([this, &devices, i] { serve(devices[i], i); });
    watch(stop);
    for (auto& thread : threads) thread.join();
    if (failure_) std::rethrow_exception(failure_);
    if (!inner_.token().requested()) report_unserved();
  }

 private:
  /// Passes stop requests on, so that a failure inside can stop the devices as well.
  void watch(const process::StopToken& stop) {
    int passed = 0;
    std::unique_lock lock(mutex_);
    while (!all_ended_.wait_for(lock, std::chrono::milliseconds(20), [&] { return running_ == 0; }))
      for (; passed < stop.count(); ++passed) inner_.request(stop.signal());
  }

  void serve(const backends::Device& device, std::size_t position) {
    try {
      while (!inner_.token().requested()) {
        std::unique_lock lock(mutex_);
        auto row = dispatcher_.next(position);
        lock.unlock();
        if (!row) break;
        if (run_operator(state_, *row, device, inner_.token()) == OperatorEnd::device_lost) {
          lose(device, position, *row);
          break;
        }
      }
    } catch (...) {
      const std::lock_guard lock(mutex_);
      if (!failure_) failure_ = std::current_exception();
      inner_.request(SIGTERM);
    }
    const std::lock_guard lock(mutex_);
    --running_;
    all_ended_.notify_all();
  }

  void lose(const backends::Device& device, std::size_t position, const PlanRow& row) {
    const auto reason = "device " + device.index + " is no longer there";
    {
      const std::lock_guard lock(state_.mutex);
      state_.events.warning(reason + "; its waiting operators go to the others");
    }
    give_up_operator(state_, row, device, status::device_lost, reason);
    const std::lock_guard lock(mutex_);
    dispatcher_.device_lost(position);
  }

  /// What no device could take any more: their device vanished and there is no twin of it.
  void report_unserved() {
    for (const auto& row : dispatcher_.waiting())
      give_up_operator(state_, row, {}, status::device_lost, "no device of its model is left");
  }

  CampaignState& state_;
  Dispatcher dispatcher_;
  std::mutex mutex_;  ///< guards dispatcher_, running_, failure_
  std::condition_variable all_ended_;
  std::size_t running_ = 0;
  std::exception_ptr failure_;
  process::StopRequest inner_;
};

/// Rows of this run and of earlier ones, in the plan's order.
void write_screen(const CampaignState& state) {
  auto text = formats::tsv_header(screen_columns());
  for (const auto& row : state.options.plan)
    if (const auto found = state.judged.find(row.op); found != state.judged.end())
      text += formats::tsv_line(screen_fields(found->second));
  replace_file(state.options.root / screen_file, text);
}

/// A switch that nothing reads runs every round and prints a full table of no difference.
void warn_of_dead_switch(const CampaignState& state) {
  std::size_t compared = 0;
  for (const auto& [op, row] : state.judged) {
    if (row.status == screen_status::changed) return;
    compared += row.status == screen_status::same ? 1 : 0;
  }
  if (compared == 0 || state.options.aa) return;
  state.events.warning("the switch " + state.options.axis.name + " changed the code of none of " +
                       std::to_string(compared) +
                       " operators: is it read by this compiler at all?");
}

void count_failures(CampaignState& state) {
  for (const auto& [op, rounds] : state.total_rounds) {
    for (unsigned round = 1; round <= rounds; ++round) {
      for (const Side side : {Side::before, Side::after}) {
        const auto row = state.ledger.find({op, round, side});
        const bool good = row && (row->status == status::ok || row->status == status::no_ir_diff);
        state.result.failed += good ? 0 : 1;
      }
    }
  }
}

}  // namespace

CampaignResult run_campaign(const CampaignOptions& options, const Provider& provider,
                            Ledger& ledger, const CampaignEvents& events,
                            const process::StopToken& stop) {
  std::unique_ptr<telemetry::Recorder> recorder;
  if (options.telemetry_interval_s > 0)
    recorder = std::make_unique<telemetry::Recorder>(*options.backend, options.surroundings,
                                                     options.devices, options.telemetry_interval_s);
  CellRunner runner(options, provider, ledger, recorder.get());
  CampaignState state{options, runner, ledger, total_rounds(options.plan), {}, events, {}, {}, {}};
  Queues(state, Dispatcher(options.plan, options.devices, options.static_plan)).run(stop);
  if (options.screen) write_screen(state);
  state.result.stopped = stop.requested();
  if (!state.result.stopped) {
    warn_of_dead_switch(state);
    count_failures(state);
  }
  return state.result;
}

}  // namespace zl::campaign
