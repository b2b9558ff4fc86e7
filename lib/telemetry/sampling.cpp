#include "telemetry/sampling.hpp"

#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "base/number.hpp"
#include "base/text.hpp"

namespace zl::telemetry {

const std::vector<formats::Column>& columns() {
  using enum formats::ColumnType;
  static const std::vector<formats::Column> all = {
      {"time", text},     {"index", text},     {"sm_clock_mhz", number}, {"mem_clock_mhz", number},
      {"temp_c", number}, {"power_w", number}, {"util_pct", number},     {"throttle", text}};
  return all;
}

std::vector<std::string> fields(WallTime time, const backends::Sample& sample) {
  std::string throttle;
  if (sample.throttle) throttle = sample.throttle->empty() ? "none" : join(*sample.throttle, ",");
  const auto text = [](const std::optional<double>& value) {
    return value ? format_rounded(*value, 2) : std::string();
  };
  return {format_time(time),          sample.index,        text(sample.sm_clock_mhz),
          text(sample.mem_clock_mhz), text(sample.temp_c), text(sample.power_w),
          text(sample.util_pct),      std::move(throttle)};
}

Grid::Grid(double interval_s)
    : interval_(std::max<std::int64_t>(1, std::llround(interval_s * 1e3))) {}

WallTime Grid::after(WallTime now) const {
  return WallTime((now.time_since_epoch() / interval_ + 1) * interval_);
}

std::size_t Grid::between(WallTime from, WallTime to) const {
  const auto passed = to.time_since_epoch() / interval_ - from.time_since_epoch() / interval_;
  return static_cast<std::size_t>(std::max<std::int64_t>(0, passed));
}

Tick take_tick(backends::Sampler& sampler) {
  Tick tick;
  tick.time = wall_now();
  const double start_s = steady_s();
  try {
    tick.set = sampler.read();
  } catch (const std::exception& error) {
    tick.failure = error.what();
  }
  tick.cost_s = steady_s() - start_s;
  return tick;
}

LoopCounts sample_loop(backends::Sampler& sampler, const LoopOptions& options,
                       const std::function<void(const Tick&)>& sink,
                       const process::StopToken& stop) {
  const Grid grid(options.interval_s);
  LoopCounts counts;
  double cost_s = 0;
  const auto take = [&] {
    const auto tick = take_tick(sampler);
    cost_s = tick.cost_s;
    if (stop.requested() && !tick.failure.empty()) return tick.time;  // the stop ended the reading
    ++counts.ticks;
    if (!tick.failure.empty()) ++counts.failed;
    sink(tick);
    return tick.time;
  };
  while (!stop.requested()) {
    const auto time = take();
    if (options.count != 0 && counts.ticks >= options.count) break;
    const auto now = wall_now();
    counts.skipped += grid.between(time, now);
    const auto next = grid.after(now);
    while (!stop.requested() && wall_now() < next) {
      // A clock set back must not make us sleep for longer than an interval.
      const double left_s = std::chrono::duration<double>(next - wall_now()).count();
      stop.wait_s(std::clamp(left_s, 0.0, options.interval_s));
      if (wall_now() < now) break;
    }
  }
  constexpr double cheap_s = 0.05;
  const bool ended_by_count = options.count != 0 && counts.ticks >= options.count;
  if (options.closing_reading && !ended_by_count && cost_s < cheap_s) take();
  return counts;
}

}  // namespace zl::telemetry
