#pragma once
// telemetry.tsv: what a device's clocks, heat and power were while something ran on it. Rows,
// the wall clock's grid of ticks, and the loop that fills one from the other.

#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "backends/backend.hpp"
#include "base/time.hpp"
#include "formats/rows.hpp"
#include "process/stop.hpp"

namespace zl::telemetry {

/// Columns of telemetry.tsv: time index sm_clock_mhz mem_clock_mhz temp_c power_w util_pct
/// throttle.
const std::vector<formats::Column>& columns();
/// One device's reading as a row. What the device did not tell is empty; `throttle` is `none`
/// where it is known that nothing held the clocks back.
std::vector<std::string> fields(WallTime time, const backends::Sample& sample);

/// The multiples of an interval since the epoch: ticks that do not drift, and that several
/// samplers on several machines share.
class Grid {
 public:
  /// Milliseconds are the resolution: a shorter interval is one millisecond.
  explicit Grid(double interval_s);
  /// The first tick after `now`.
  WallTime after(WallTime now) const;
  /// How many ticks lie in (from, to].
  std::size_t between(WallTime from, WallTime to) const;

 private:
  std::chrono::milliseconds interval_;
};

struct Tick {
  WallTime time;      ///< when the reading began
  double cost_s = 0;  ///< how long it took
  backends::SampleSet set;
  std::string failure;  ///< why nothing could be read; "" when something was
};

struct LoopOptions {
  double interval_s = 1.0;
  std::size_t count = 0;         ///< ticks to take, failed ones included; 0: until stopped
  bool closing_reading = false;  ///< one more when stopped, where readings take below 50 ms
};

struct LoopCounts {
  std::size_t ticks = 0;    ///< readings taken, failed ones included
  std::size_t failed = 0;   ///< readings that gave nothing
  std::size_t skipped = 0;  ///< ticks of the grid that passed while a reading still ran
};

/// Reads once at once, then at every tick of the grid; a tick that passes while a reading still
/// runs is skipped and counted. `sink` gets every reading. Ends by count or stop.
LoopCounts sample_loop(backends::Sampler& sampler, const LoopOptions& options,
                       const std::function<void(const Tick&)>& sink,
                       const process::StopToken& stop);
/// One reading; its failure is a field, not an exception.
Tick take_tick(backends::Sampler& sampler);

}  // namespace zl::telemetry
