#include "campaign/campaign.hpp"

#include <signal.h>

#include <algorithm>
#include <condition_variable>
#include <exception>

#include "base/error.hpp"
#include "base/files.hpp"
#include "base/text.hpp"
#include "base/thread.hpp"
#include "campaign/dispatch.hpp"
#include "campaign/operator_run.hpp"
#include "process/affinity.hpp"
#include "telemetry/recorder.hpp"

namespace zl::campaign {

std::map<std::string, unsigned> total_rounds(const std::vector<PlanRow>& plan) {
  std::map<std::string, unsigned> rounds;
  for (const auto& row : plan)
    rounds[row.op] = std::max(rounds[row.op], row.first_round + row.rounds - 1);
  return rounds;
}

namespace {

std::map<std::string, std::string> models_of(const std::vector<backends::Device>& devices) {
  std::map<std::string, std::string> models;
  for (const auto& device : devices) models[device.index] = device.name;
  return models;
}

/// One thread a device; the calling thread watches over them.
class Queues {
 public:
  explicit Queues(CampaignState& state)
      : state_(state),
        dispatcher_(state.options.plan, models_of(state.options.devices),
                    state.options.static_plan) {}

  void run(const process::StopToken& stop) {
    std::vector<std::thread> threads;
    threads.reserve(state_.options.devices.size());
    for (const auto& device : state_.options.devices)
      if (!start(device, threads)) break;
    watch(stop);
    for (auto& thread : threads) thread.join();
    if (failure_) std::rethrow_exception(failure_);
  }

 private:
  /// False, and the threads that run are told to stop, when there is no thread to be had.
  bool start(const backends::Device& device, std::vector<std::thread>& threads) {
    {
      const std::lock_guard lock(mutex_);
      ++running_;
    }
    try {
      threads.push_back(start_thread([this, &device] { serve(device); }));
      return true;
    } catch (const Error&) {
      fail();
    }
    const std::lock_guard lock(mutex_);
    --running_;
    return false;
  }

  /// Within a handler: what is handled ends the campaign, once all threads have ended.
  void fail() {
    const std::lock_guard lock(mutex_);
    if (!failure_) failure_ = std::current_exception();
    inner_.request(SIGTERM);
  }

  /// Passes stop requests on, so that a failure inside can stop the devices as well.
  void watch(const process::StopToken& stop) {
    int passed = 0;
    std::unique_lock lock(mutex_);
    while (!changed_.wait_for(lock, std::chrono::milliseconds(20), [&] { return running_ == 0; }))
      for (; passed < stop.count(); ++passed) inner_.request(stop.signal());
  }

  void serve(const backends::Device& device) {
    try {
      bind(device);
      while (auto row = next(device)) {
        const auto end = run_operator(state_, *row, device, inner_.token());
        const bool stuck = end == OperatorEnd::device_stuck;
        const bool lost = stuck || end == OperatorEnd::device_lost;
        if (lost)
          lose(device, *row, stuck ? "has a program that cannot be ended" : "is no longer there");
        const std::lock_guard lock(mutex_);
        --busy_;
        changed_.notify_all();
        if (lost) break;
      }
    } catch (...) {
      fail();
    }
    const std::lock_guard lock(mutex_);
    --running_;
    changed_.notify_all();
  }

  /// A device that is a group of CPUs is used by running there.
  void bind(const backends::Device& device) {
    if (process::bind_thread(device.cpus)) return;
    const std::lock_guard lock(state_.mutex);
    state_.events.warning("device " + device.index +
                          ": none of its CPUs may be used here; its programs run on any");
  }

  /// The device's next work. One that runs dry waits while others are busy: if their device
  /// vanishes, their operators come to it.
  std::optional<PlanRow> next(const backends::Device& device) {
    std::unique_lock lock(mutex_);
    for (;;) {
      if (inner_.token().requested()) return std::nullopt;
      if (auto row = dispatcher_.next(device.index)) {
        ++busy_;
        return row;
      }
      if (busy_ == 0) return std::nullopt;
      changed_.wait_for(lock, std::chrono::milliseconds(100));
    }
  }

  void lose(const backends::Device& device, const PlanRow& row, const std::string& why) {
    const auto reason = "device " + device.index + " " + why;
    {
      const std::lock_guard lock(state_.mutex);
      state_.events.warning(reason + "; others of its model take over what waits for it");
    }
    give_up_operator(state_, row, device, status::device_lost, reason);
    std::unique_lock lock(mutex_);
    const auto orphaned = dispatcher_.device_lost(device.index);
    lock.unlock();
    for (const auto& waiting : orphaned)
      give_up_operator(state_, waiting, device, status::device_lost, reason);
  }

  CampaignState& state_;
  Dispatcher dispatcher_;
  std::mutex mutex_;  ///< guards dispatcher_, running_, busy_, failure_
  std::condition_variable changed_;
  std::size_t running_ = 0;  ///< threads
  std::size_t busy_ = 0;     ///< threads that hold an operator
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
                       counted(compared, "operator") + ": is it read by this compiler at all?");
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
  Queues(state).run(stop);
  if (options.screen) write_screen(state);
  state.result.stopped = stop.requested();
  if (!state.result.stopped) {
    warn_of_dead_switch(state);
    count_failures(state);
  }
  return state.result;
}

}  // namespace zl::campaign
