#include "sampling.hpp"

#include <signal.h>
#include <sys/resource.h>

#include <exception>

#include "base/error.hpp"
#include "base/text.hpp"
#include "base/thread.hpp"
#include "cli/exit_status.hpp"
#include "cli/machine.hpp"
#include "sink.hpp"
#include "telemetry/summary.hpp"

namespace zl::telemetry_tool {

namespace {

std::vector<std::string> selectors(const cli::Context& context) {
  std::vector<std::string> all;
  for (const auto& list : context.values("device"))
    for (const auto entry : split(list, ','))
      if (!trim(entry).empty()) all.emplace_back(trim(entry));
  return all;
}

bool is_pinned(const backends::Backend& backend, const process::Environment& environment) {
  for (const auto& name : backend.traits.visibility_variables)
    if (environment.count(name) != 0) return true;
  return false;
}

/// By --device, else by the visibility variable; none means all, and then nothing is listed first.
std::vector<backends::Device> devices_to_sample(const cli::Context& context,
                                                const backends::Backend& backend,
                                                const backends::Surroundings& surroundings) {
  const auto wanted = selectors(context);
  if (wanted.empty() && !is_pinned(backend, surroundings.environment)) return {};
  const auto listing = backend.list(surroundings);
  for (const auto& warning : listing.warnings) context.say(warning);
  if (!wanted.empty()) return backends::pick_devices(listing, wanted);
  std::vector<backends::Device> devices;
  for (const auto position : listing.selected) devices.push_back(listing.devices[position]);
  if (devices.empty())
    throw environment_error("no device is visible: " +
                            join(backend.traits.visibility_variables, ", "));
  return devices;
}

double cpu_s(int who) {
  struct rusage usage {};
  ::getrusage(who, &usage);
  const auto seconds = [](const struct timeval& time) {
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

/// Sums up what sampling cost while it lives in `loop`.
class CostMeter {
 public:
  void add(const telemetry::Tick& tick) { reading_s_ += tick.cost_s; }
  /// Closes the sampler first: a long-running tool's CPU time counts once it has ended.
  /// `other_cpu_s`: CPU time of children that were no samplers.
  void save(const std::string& file, std::unique_ptr<backends::Sampler> sampler,
            const telemetry::LoopCounts& counts, double other_cpu_s) const {
    if (file.empty() || counts.ticks == 0) return;
    telemetry::SamplingCost cost;
    cost.time = format_time(wall_now());
    cost.sampler = sampler->name();
    sampler.reset();
    cost.ticks = counts.ticks;
    cost.failed = counts.failed;
    cost.skipped = counts.skipped;
    cost.tick_ms = 1e3 * reading_s_ / static_cast<double>(counts.ticks);
    const double wall_s = steady_s() - start_s_;
    // A single reading has no interval that its CPU time could be a share of.
    if (counts.ticks > 1 && wall_s > 0)
      cost.core_pct = 100 * (used_s() - start_cpu_s_ - other_cpu_s) / wall_s;
    telemetry::append_cost(file, cost);
  }

 private:
  static double used_s() { return cpu_s(RUSAGE_SELF) + cpu_s(RUSAGE_CHILDREN); }
  double start_s_ = steady_s(), start_cpu_s_ = used_s(), reading_s_ = 0;
};

telemetry::LoopOptions loop_options(const cli::Context& context) {
  telemetry::LoopOptions options;
  options.interval_s = context.number("interval", 0.001, 86400 * 7).value_or(1.0);
  options.count = context.count("count", 1, 1U << 30U).value_or(0);
  const bool loops = context.has("interval") || context.has("count") || !context.operands.empty();
  if (context.has("once") && loops)
    throw usage_error("--once takes one reading: it excludes --interval, --count and a command");
  if (!loops) options.count = 1;
  return options;
}

/// An opened sampler, or the reason why there is none.
struct Opened {
  std::unique_ptr<backends::Sampler> sampler;
  std::string failure;
};

Opened open(const cli::Context& context, Sink& sink, double interval_s,
            const process::StopToken& stop) {
  auto surroundings = cli::machine(context);
  surroundings.stop = stop;
  surroundings.interval_s = interval_s;
  const auto& backend = cli::backend(context, surroundings);
  sink.describe(backend.traits.name, {});
  try {
    auto devices = devices_to_sample(context, backend, surroundings);
    sink.describe(backend.traits.name, devices);
    return {backend.open_sampler(surroundings, devices), ""};
  } catch (const Error& error) {
    if (error.kind() == ErrorKind::usage) throw;
    return {nullptr, error.what()};
  }
}

int without_sampler(const cli::Context& context, Sink& sink, const std::string& why) {
  telemetry::Tick tick;
  tick.failure = why;
  sink.write(tick);
  return context.has("evidence") ? cli::exit_done : cli::exit_environment;
}

process::Outcome run_command(const cli::Context& context) {
  process::Command command;
  command.argv = context.operands;
  command.in = process::Stream::inherit();
  command.out = process::Stream::inherit();
  command.err = process::Stream::inherit();
  command.foreground = true;
  return process::run(command, {}, context.stop);
}

/// The loop in a thread of its own, until `end`; why it ended early, or never began, comes out of
/// `failure`. The thread is not joinable where it never began.
std::thread sample_aside(const std::function<telemetry::LoopCounts()>& loop,
                         telemetry::LoopCounts& counts, std::string& failure) {
  try {
    return start_thread([&counts, &failure, loop] {
      try {
        counts = loop();
      } catch (const std::exception& error) {
        failure = error.what();
      }
    });
  } catch (const Error& error) {
    failure = error.what();
    return {};
  }
}

/// The command's status, whatever became of the sampling.
int beside_command(cli::Context& context, Sink& sink, const telemetry::LoopOptions& options) {
  process::StopRequest end;  // of the sampling, as soon as the command has ended
  auto opened = open(context, sink, options.interval_s, end.token());
  if (!opened.sampler) {
    sink.say_once(opened.failure);
    return run_command(context).exit_code;
  }
  CostMeter meter;
  telemetry::LoopCounts counts;
  std::string failure;
  const auto keep = [&](const telemetry::Tick& tick) {
    meter.add(tick);
    sink.write(tick);
  };
  auto thread = sample_aside(
      [&] { return telemetry::sample_loop(*opened.sampler, options, keep, end.token()); }, counts,
      failure);
  process::Outcome outcome;
  std::exception_ptr not_started;
  try {
    outcome = run_command(context);
  } catch (...) {
    not_started = std::current_exception();
  }
  end.request(SIGTERM);
  if (thread.joinable()) thread.join();
  if (not_started) std::rethrow_exception(not_started);
  if (!failure.empty()) sink.say_once(failure);
  meter.save(sink.append_path(), std::move(opened.sampler), counts,
             outcome.user_s + outcome.system_s);
  return outcome.exit_code;
}

}  // namespace

int sample(cli::Context& context) {
  auto options = loop_options(context);
  Sink sink(context);
  const bool once = options.count == 1;
  if (!context.operands.empty()) {
    options.closing_reading = true;
    return beside_command(context, sink, options);
  }
  auto opened = open(context, sink, once ? 0 : options.interval_s, context.stop);
  if (!opened.sampler) return without_sampler(context, sink, opened.failure);
  CostMeter meter;
  const auto counts = telemetry::sample_loop(
      *opened.sampler, options,
      [&](const telemetry::Tick& tick) {
        meter.add(tick);
        sink.write(tick);
      },
      context.stop);
  meter.save(sink.append_path(), std::move(opened.sampler), counts, 0);
  if (counts.skipped > 0)
    context.say(counted(counts.skipped, "tick") + " passed while a reading still ran");
  if (counts.failed == 0 || context.has("evidence")) return cli::exit_done;
  if (!once)
    context.say(std::to_string(counts.failed) + " of " + std::to_string(counts.ticks) +
                " readings failed");
  return counts.failed == counts.ticks ? cli::exit_environment : cli::exit_done;
}

}  // namespace zl::telemetry_tool
