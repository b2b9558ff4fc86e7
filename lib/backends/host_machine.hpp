#pragma once
// The host as devices, read from /proc and /sys below a root: one device a CPU package and NUMA
// node. Inside the backends room only.

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "backends/backend.hpp"

namespace zl::backends {

/// The CPUs of one package on one NUMA node.
struct CpuGroup {
  int package = 0;
  int node = -1;  ///< -1 where the kernel knows no nodes
  std::vector<unsigned> cpus;
};

/// "0-3,8" as numbers; stops at the first thing that is none.
std::vector<unsigned> parse_cpu_list(std::string_view text);

/// Online CPUs by package and node, sorted so. Throws Error(environment) where there is no
/// /proc/stat nor /sys/devices/system/cpu to tell.
std::vector<CpuGroup> cpu_groups(const std::filesystem::path& root);

/// A sampler over groups; `indices[i]` is what its rows call groups[i].
std::unique_ptr<Sampler> make_host_sampler(const Surroundings& surroundings,
                                           std::vector<CpuGroup> groups,
                                           std::vector<std::string> indices);

/// A file that holds one number; nothing where it is absent, unreadable or something else.
std::optional<double> number_in(const std::filesystem::path& file);
/// A file's text without the blanks around it; "" where it cannot be read.
std::string text_in(const std::filesystem::path& file);

}  // namespace zl::backends
