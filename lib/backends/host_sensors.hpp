#pragma once
// Where a processor's heat, energy and throttle counts stand below /sys. Found once, read often.
// Inside the backends room only.

#include <filesystem>
#include <optional>
#include <vector>

#include "backends/host_machine.hpp"

namespace zl::backends {

/// Files of one CPU group. What the machine does not have is empty.
struct HostSensors {
  std::filesystem::path temperature;      ///< millidegrees
  std::filesystem::path energy;           ///< RAPL's energy_uj of the package
  std::optional<double> energy_range_uj;  ///< where the counter wraps
  std::vector<std::filesystem::path> throttle_counts;
  std::vector<std::filesystem::path> clocks;  ///< cpufreq's scaling_cur_freq (kHz), one a CPU
};

/// Sensors of each group. A package's heat and energy belong to all of its groups.
/// Sources: the kernel's hwmon (coretemp, k10temp, zenpower), thermal zone, powercap, cpufreq and
/// thermal_throttle interfaces.
std::vector<HostSensors> find_host_sensors(const std::filesystem::path& root,
                                           const std::vector<CpuGroup>& groups);

}  // namespace zl::backends
