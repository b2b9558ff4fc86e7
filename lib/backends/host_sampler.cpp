// Readings of the host: clocks weighed by how busy each CPU was, utilisation and power as means
// since the reading before.
#include <algorithm>
#include <map>

#include "backends/host_machine.hpp"
#include "backends/host_sensors.hpp"
#include "base/error.hpp"
#include "base/files.hpp"
#include "base/number.hpp"
#include "base/text.hpp"

namespace zl::backends {

namespace fs = std::filesystem;

namespace {

// /proc/stat counts in hundredths of a second: a mean over less is mostly rounding.
constexpr double first_mean_s = 0.1;
constexpr double shortest_mean_s = 0.05;

struct CpuTime {
  double busy = 0, total = 0;  ///< ticks since boot
};

/// CPU number → its times. Fields: user nice system idle iowait irq softirq steal guest; guest
/// time is part of user.
std::map<unsigned, CpuTime> cpu_times(const fs::path& root) {
  const auto stat = try_read_file(root / "proc/stat");
  if (!stat)
    throw environment_error("host: cannot read " + in_quotes((root / "proc/stat").string()));
  std::map<unsigned, CpuTime> times;
  for (const auto line : split(*stat, '\n')) {
    if (!line.starts_with("cpu")) {
      if (!times.empty()) break;
      continue;
    }
    const auto words = split(line, ' ');
    const auto cpu = parse_unsigned(words.front().substr(3));
    if (!cpu || words.size() < 5) continue;
    CpuTime time;
    for (std::size_t i = 1; i < std::min<std::size_t>(words.size(), 9); ++i) {
      const double ticks = parse_double(words[i]).value_or(0);
      time.total += ticks;
      if (i != 4 && i != 5) time.busy += ticks;  // idle, iowait
    }
    times[static_cast<unsigned>(*cpu)] = time;
  }
  return times;
}

/// CPU number → MHz, as /proc/cpuinfo tells it where cpufreq does not.
std::map<unsigned, double> cpuinfo_clocks(const fs::path& root) {
  std::map<unsigned, double> clocks;
  const auto cpuinfo = try_read_file(root / "proc/cpuinfo").value_or("");
  std::optional<std::uint64_t> cpu;
  for (const auto line : split(cpuinfo, '\n')) {
    const auto colon = line.find(':');
    if (colon == std::string_view::npos) continue;
    const auto key = trim(line.substr(0, colon)), value = trim(line.substr(colon + 1));
    if (key == "processor") cpu = parse_unsigned(value);
    if (key != "cpu MHz" || !cpu) continue;
    if (const auto mhz = parse_double(value); mhz && *mhz > 0)
      clocks[static_cast<unsigned>(*cpu)] = *mhz;
  }
  return clocks;
}

/// What deltas are taken from.
struct State {
  double time_s = 0;
  std::map<unsigned, CpuTime> times;
  std::vector<std::optional<double>> energy_uj;
  std::vector<std::optional<double>> throttle_counts;
};

class HostSampler : public Sampler {
 public:
  HostSampler(const Surroundings& surroundings, std::vector<CpuGroup> groups,
              std::vector<std::string> indices)
      : surroundings_(surroundings),
        groups_(std::move(groups)),
        indices_(std::move(indices)),
        sensors_(find_host_sensors(surroundings.root, groups_)),
        before_(measure()) {
    // So that the first reading has a mean to tell.
    surroundings.stop.wait_s(first_mean_s);
  }

  SampleSet read() override {
    auto now = measure();
    const auto clocks = clocks_by_cpu();
    SampleSet set;
    for (std::size_t i = 0; i < groups_.size(); ++i) set.samples.push_back(sample(i, now, clocks));
    if (now.time_s - before_.time_s >= shortest_mean_s) before_ = std::move(now);
    return set;
  }

  std::string name() const override { return "proc"; }

 private:
  State measure() const {
    State state;
    state.time_s = steady_s();
    state.times = cpu_times(surroundings_.root);
    for (const auto& sensors : sensors_) {
      state.energy_uj.push_back(number_in(sensors.energy));
      std::optional<double> count;
      for (const auto& file : sensors.throttle_counts)
        if (const auto one = number_in(file)) count = count.value_or(0) + *one;
      state.throttle_counts.push_back(count);
    }
    return state;
  }

  /// From /proc/cpuinfo, where some group has no cpufreq.
  std::map<unsigned, double> clocks_by_cpu() const {
    const bool all = std::all_of(sensors_.begin(), sensors_.end(),
                                 [](const HostSensors& s) { return !s.clocks.empty(); });
    return all ? std::map<unsigned, double>() : cpuinfo_clocks(surroundings_.root);
  }

  /// Busy share of a CPU since the reading before; nothing where no tick has passed.
  std::optional<double> busy_share(unsigned cpu, const State& now) const {
    const auto before = before_.times.find(cpu);
    const auto after = now.times.find(cpu);
    if (before == before_.times.end() || after == now.times.end()) return std::nullopt;
    const double total = after->second.total - before->second.total;
    const double busy = after->second.busy - before->second.busy;
    if (total <= 0) return std::nullopt;
    return std::clamp(busy / total, 0.0, 1.0);
  }

  std::optional<double> clock_of(std::size_t i, std::size_t k,
                                 const std::map<unsigned, double>& clocks) const {
    if (!sensors_[i].clocks.empty()) {
      const auto khz = number_in(sensors_[i].clocks[k]);
      return khz && *khz > 0 ? std::optional(*khz / 1e3) : std::nullopt;
    }
    const auto found = clocks.find(groups_[i].cpus[k]);
    return found == clocks.end() ? std::nullopt : std::optional(found->second);
  }

  /// Mean clock, each CPU weighed by its busy share: what ran, ran at this clock. The plain mean
  /// where nothing ran.
  void add_clock_and_load(std::size_t i, const State& now, bool long_enough,
                          const std::map<unsigned, double>& clocks, Sample& sample) const {
    double busy = 0, known = 0, weighed = 0, weights = 0, plain = 0, counted = 0;
    for (std::size_t k = 0; k < groups_[i].cpus.size(); ++k) {
      const auto share = busy_share(groups_[i].cpus[k], now);
      if (share) {
        busy += *share;
        ++known;
      }
      const auto mhz = clock_of(i, k, clocks);
      if (!mhz) continue;
      plain += *mhz;
      ++counted;
      weighed += *mhz * share.value_or(0);
      weights += share.value_or(0);
    }
    if (counted > 0) sample.sm_clock_mhz = weights > 0 ? weighed / weights : plain / counted;
    if (known > 0 && long_enough) sample.util_pct = 100 * busy / known;
  }

  Sample sample(std::size_t i, const State& now, const std::map<unsigned, double>& clocks) const {
    Sample sample;
    sample.index = indices_[i];
    const double elapsed_s = now.time_s - before_.time_s;
    const bool long_enough = elapsed_s >= shortest_mean_s;
    add_clock_and_load(i, now, long_enough, clocks, sample);
    if (const auto millidegrees = number_in(sensors_[i].temperature))
      sample.temp_c = *millidegrees / 1e3;
    const auto &energy = now.energy_uj[i], &earlier = before_.energy_uj[i];
    if (energy && earlier && long_enough) {
      double used_uj = *energy - *earlier;
      if (used_uj < 0) used_uj += sensors_[i].energy_range_uj.value_or(0);
      if (used_uj >= 0) sample.power_w = used_uj * 1e-6 / elapsed_s;
    }
    const auto &count = now.throttle_counts[i], &count_before = before_.throttle_counts[i];
    if (count && count_before)
      sample.throttle =
          *count > *count_before ? std::vector<std::string>{"thermal"} : std::vector<std::string>{};
    return sample;
  }

  Surroundings surroundings_;
  std::vector<CpuGroup> groups_;
  std::vector<std::string> indices_;
  std::vector<HostSensors> sensors_;
  State before_;
};

}  // namespace

std::unique_ptr<Sampler> make_host_sampler(const Surroundings& surroundings,
                                           std::vector<CpuGroup> groups,
                                           std::vector<std::string> indices) {
  return std::make_unique<HostSampler>(surroundings, std::move(groups), std::move(indices));
}

}  // namespace zl::backends
