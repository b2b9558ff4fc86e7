#include "backends/host_sensors.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <system_error>

#include "base/text.hpp"

namespace zl::backends {

namespace fs = std::filesystem;

namespace {

/// Entries of a folder in the order of their numbers (hwmon2 before hwmon10); none where it
/// cannot be read.
std::vector<fs::path> entries(const fs::path& folder, const std::string& prefix) {
  std::vector<fs::path> found;
  std::error_code ignored;
  for (fs::directory_iterator it(folder, ignored), end; it != end; it.increment(ignored))
    if (it->path().filename().string().starts_with(prefix)) found.push_back(it->path());
  std::sort(found.begin(), found.end(), [](const fs::path& a, const fs::path& b) {
    const auto left = a.filename().string(), right = b.filename().string();
    return std::pair(left.size(), left) < std::pair(right.size(), right);
  });
  return found;
}

/// package → its temperature file, from Intel's labels, which name the package.
void add_coretemp(const fs::path& chip, std::map<int, fs::path>& found) {
  for (const auto& label : entries(chip, "temp")) {
    const auto name = label.filename().string();
    if (!name.ends_with("_label")) continue;
    const auto text = text_in(label);
    if (!text.starts_with("Package id ")) continue;
    const auto input = chip / (name.substr(0, name.size() - 6) + "_input");
    found.emplace(std::atoi(text.c_str() + 11), input);
  }
}

/// What cannot be tied to a package by its name: the n-th is the n-th package's.
using Unnamed = std::vector<fs::path>;

std::map<int, fs::path> assign(std::map<int, fs::path> named, const Unnamed& unnamed,
                               const std::set<int>& packages) {
  if (!named.empty()) return named;
  if (unnamed.size() < packages.size()) return {};  // which is whose cannot be told
  auto next = unnamed.begin();
  for (const int package : packages) named.emplace(package, *next++);
  return named;
}

std::map<int, fs::path> temperatures(const fs::path& root, const std::set<int>& packages) {
  std::map<int, fs::path> named;
  Unnamed chips, zones, others;
  for (const auto& chip : entries(root / "sys/class/hwmon", "hwmon")) {
    const auto name = text_in(chip / "name");
    if (name == "coretemp")
      add_coretemp(chip, named);
    else if (name == "k10temp" || name == "zenpower")
      chips.push_back(chip / "temp1_input");
  }
  for (const auto& zone : entries(root / "sys/class/thermal", "thermal_zone")) {
    const auto type = text_in(zone / "type");
    if (type == "x86_pkg_temp")
      zones.push_back(zone / "temp");
    else if (lower(type).find("cpu") != std::string::npos)
      others.push_back(zone / "temp");
  }
  for (const auto* unnamed : {&chips, &zones, &others}) {
    auto assigned = assign(named, *unnamed, packages);
    if (!assigned.empty()) return assigned;
  }
  return {};
}

/// package → its RAPL zone (name "package-0").
std::map<int, fs::path> energy_zones(const fs::path& root) {
  std::map<int, fs::path> found;
  for (const auto& zone : entries(root / "sys/class/powercap", "intel-rapl:")) {
    const auto name = text_in(zone / "name");
    if (name.starts_with("package-")) found.emplace(std::atoi(name.c_str() + 8), zone);
  }
  return found;
}

void add_cpu_files(const fs::path& root, const CpuGroup& group, HostSensors& sensors) {
  std::error_code ignored;
  for (const auto cpu : group.cpus) {
    const auto folder = root / ("sys/devices/system/cpu/cpu" + std::to_string(cpu));
    const auto clock = folder / "cpufreq/scaling_cur_freq";
    if (fs::exists(clock, ignored)) sensors.clocks.push_back(clock);
    for (const char* scope : {"core", "package"}) {
      const auto count = folder / ("thermal_throttle/" + std::string(scope) + "_throttle_count");
      const bool once = std::string_view(scope) == "core" || cpu == group.cpus.front();
      if (once && fs::exists(count, ignored)) sensors.throttle_counts.push_back(count);
    }
  }
  // A clock for some CPUs only could not be weighed by CPU: then none.
  if (sensors.clocks.size() != group.cpus.size()) sensors.clocks.clear();
}

}  // namespace

std::vector<HostSensors> find_host_sensors(const fs::path& root,
                                           const std::vector<CpuGroup>& groups) {
  std::set<int> packages;
  for (const auto& group : cpu_groups(root)) packages.insert(group.package);
  const auto heat = temperatures(root, packages);
  const auto energy = energy_zones(root);
  std::vector<HostSensors> all;
  for (const auto& group : groups) {
    HostSensors sensors;
    if (const auto found = heat.find(group.package); found != heat.end())
      sensors.temperature = found->second;
    if (const auto found = energy.find(group.package); found != energy.end()) {
      sensors.energy = found->second / "energy_uj";
      sensors.energy_range_uj = number_in(found->second / "max_energy_range_uj");
    }
    add_cpu_files(root, group, sensors);
    all.push_back(std::move(sensors));
  }
  return all;
}

}  // namespace zl::backends
