#include "telemetry/recorder.hpp"

#include <signal.h>

#include <condition_variable>
#include <map>
#include <mutex>
#include <set>
#include <utility>

#include "base/files.hpp"
#include "base/thread.hpp"
#include "telemetry/sampling.hpp"

namespace zl::telemetry {

namespace {

constexpr double cheap_s = 0.05;        // a reading that may be waited for at the end of a cell
constexpr double last_reading_s = 0.5;  // how long the end of a cell waits for it
constexpr double farewell_s = 3.0;      // how long the destructor waits for the thread

/// One cell's files.
struct Target {
  std::filesystem::path file;
  std::set<std::string> told;  ///< reasons already in its telemetry.err
  /// Readings asked for outside the grid, at its beginning and at its end: so many asked for, so
  /// many answered.
  unsigned asked = 1, served = 0;
  bool due = false;  ///< gets a row of the reading that is under way

  void tell(const std::string& reason) {
    if (!told.insert(reason).second) return;
    const AppendFile errors(file.parent_path() / "telemetry.err");
    errors.append("", reason + "\n");
  }

  void try_to_tell(const std::string& reason) noexcept {
    try {
      tell(reason);
    } catch (const std::exception&) {  // a folder that cannot be written: nobody left to tell
    }
  }

  /// The device's row of a reading, and what was odd about it.
  void add(const Tick& tick, const std::string& index) {
    for (const auto& warning : tick.set.warnings) tell(warning);
    bool found = false;
    for (const auto& sample : tick.set.samples) {
      if (sample.index != index) continue;
      found = true;
      AppendFile(file).append(formats::tsv_header(columns()),
                              formats::tsv_line(fields(tick.time, sample)));
    }
    if (!found) tell("no reading of device " + index);
  }
};

}  // namespace

struct Recorder::State {
  const backends::Backend& backend;
  backends::Surroundings surroundings;
  std::vector<backends::Device> devices;
  double interval_s;

  std::mutex mutex;
  std::condition_variable changed;
  std::map<std::string, Target> targets;
  process::StopRequest end;
  std::string reason;
  double cost_s = cheap_s;
  bool opened = false, finished = false;

  State(const backends::Backend& b, const backends::Surroundings& s,
        std::vector<backends::Device> d, double i)
      : backend(b), surroundings(s), devices(std::move(d)), interval_s(i) {
    surroundings.stop = end.token();
    surroundings.interval_s = interval_s;
  }

  /// The thread.
  void work() noexcept;
  void work_until_told();
  /// Waits for the next reading; false at the end. `on_grid`: for all, not only who asked.
  bool wait(std::unique_lock<std::mutex>& lock, const Grid& grid, bool& on_grid);
  void write(const Tick& tick) noexcept;
  void tell_all(const std::string& why) noexcept;
  bool someone_asks() const {
    for (const auto& [index, target] : targets)
      if (target.asked > target.served) return true;
    return false;
  }
};

void Recorder::State::work() noexcept {
  try {
    work_until_told();
  } catch (const std::exception& error) {
    const std::lock_guard lock(mutex);
    reason = error.what();
    tell_all(reason);
  }
  const std::lock_guard lock(mutex);
  finished = true;
  changed.notify_all();
}

void Recorder::State::work_until_told() {
  const auto sampler = backend.open_sampler(surroundings, devices);
  const Grid grid(interval_s);
  std::unique_lock lock(mutex);
  opened = true;
  bool on_grid = false;
  while (wait(lock, grid, on_grid)) {
    for (auto& [index, target] : targets) {
      target.due = on_grid || target.asked > target.served;
      if (target.due) target.served = target.asked;
    }
    lock.unlock();
    const auto tick = take_tick(*sampler);
    lock.lock();
    if (end.token().requested()) return;
    cost_s = tick.cost_s;
    write(tick);
    changed.notify_all();
  }
}

bool Recorder::State::wait(std::unique_lock<std::mutex>& lock, const Grid& grid, bool& on_grid) {
  auto next = grid.after(wall_now());
  for (;;) {
    if (end.token().requested()) return false;
    const auto now = wall_now();
    on_grid = now >= next && !targets.empty();
    if (on_grid || someone_asks()) return true;
    if (now >= next || next - now > std::chrono::duration<double>(interval_s))
      next = grid.after(now);
    if (targets.empty())
      changed.wait(lock);
    else
      changed.wait_for(lock, next - now);
  }
}

void Recorder::State::write(const Tick& tick) noexcept {
  if (!tick.failure.empty()) tell_all(tick.failure);
  for (auto& [index, target] : targets) {
    const bool due = std::exchange(target.due, false);
    if (!due || !tick.failure.empty()) continue;  // not due: attached while the reading ran
    try {
      target.add(tick, index);
    } catch (const std::exception& error) {
      target.try_to_tell(error.what());
    }
  }
}

void Recorder::State::tell_all(const std::string& why) noexcept {
  for (auto& [index, target] : targets) target.try_to_tell(why);
}

Recorder::Recorder(const backends::Backend& backend, const backends::Surroundings& surroundings,
                   std::vector<backends::Device> devices, double interval_s) noexcept {
  try {
    state_ = std::make_shared<State>(backend, surroundings, std::move(devices), interval_s);
    // The thread owns its state: one that hangs in a driver outlives us.
    start_thread([state = state_] { state->work(); }).detach();
  } catch (const std::exception& error) {
    if (state_) {
      state_->reason = error.what();
      state_->finished = true;
    }
  }
}

Recorder::~Recorder() {
  if (!state_) return;
  std::unique_lock lock(state_->mutex);
  state_->end.request(SIGTERM);
  state_->changed.notify_all();
  state_->changed.wait_for(lock, std::chrono::duration<double>(farewell_s),
                           [&] { return state_->finished; });
}

void Recorder::attach(const std::string& device_index, const std::filesystem::path& file) noexcept {
  if (!state_) return;
  try {
    const std::lock_guard lock(state_->mutex);
    auto& target = state_->targets[device_index];
    target = Target();
    target.file = file;
    if (state_->finished && !state_->reason.empty()) target.tell(state_->reason);
    state_->changed.notify_all();
  } catch (const std::exception&) {  // no memory or no folder: evidence only, never a failure
  }
}

void Recorder::detach(const std::string& device_index) noexcept {
  if (!state_) return;
  try {
    std::unique_lock lock(state_->mutex);
    const auto found = state_->targets.find(device_index);
    if (found == state_->targets.end()) return;
    if (!state_->finished && (!state_->opened || state_->cost_s < cheap_s)) {
      ++found->second.asked;
      state_->changed.notify_all();
      state_->changed.wait_for(lock, std::chrono::duration<double>(last_reading_s), [&] {
        const auto& target = state_->targets.at(device_index);
        return state_->finished || (target.served == target.asked && !target.due);
      });
    }
    state_->targets.erase(device_index);
  } catch (const std::exception&) {  // see attach
  }
}

std::string Recorder::reason() const {
  if (!state_) return "out of memory";
  const std::lock_guard lock(state_->mutex);
  return state_->reason;
}

}  // namespace zl::telemetry
