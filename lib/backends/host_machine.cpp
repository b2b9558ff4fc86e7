#include "backends/host_machine.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "base/error.hpp"
#include "base/files.hpp"
#include "base/number.hpp"
#include "base/text.hpp"

namespace zl::backends {

namespace fs = std::filesystem;

std::string text_in(const fs::path& file) {
  return std::string(trim(try_read_file(file).value_or("")));
}

std::optional<double> number_in(const fs::path& file) {
  return parse_double(text_in(file));
}

std::vector<unsigned> parse_cpu_list(std::string_view text) {
  constexpr std::uint64_t most = 1U << 16U;  // far above any kernel's NR_CPUS
  std::vector<unsigned> cpus;
  for (const auto part : split(trim(text), ',')) {
    const auto dash = part.find('-');
    const auto first = parse_unsigned(part.substr(0, dash));
    const auto last =
        dash == std::string_view::npos ? first : parse_unsigned(part.substr(dash + 1));
    if (!first || !last || *last < *first || *last >= most) break;
    for (auto cpu = *first; cpu <= *last; ++cpu) cpus.push_back(static_cast<unsigned>(cpu));
  }
  return cpus;
}

namespace {

std::vector<unsigned> online_cpus(const fs::path& root) {
  auto cpus = parse_cpu_list(text_in(root / "sys/devices/system/cpu/online"));
  if (!cpus.empty()) return cpus;
  const auto stat = try_read_file(root / "proc/stat").value_or("");
  for (const auto line : split(stat, '\n')) {
    if (!line.starts_with("cpu")) continue;
    if (const auto cpu = parse_unsigned(line.substr(3, line.find(' ') - 3)))
      cpus.push_back(static_cast<unsigned>(*cpu));
  }
  return cpus;
}

std::map<unsigned, int> nodes_of_cpus(const fs::path& root) {
  std::map<unsigned, int> nodes;
  for (const auto node : parse_cpu_list(text_in(root / "sys/devices/system/node/online"))) {
    const auto folder = root / ("sys/devices/system/node/node" + std::to_string(node));
    for (const auto cpu : parse_cpu_list(text_in(folder / "cpulist")))
      nodes[cpu] = static_cast<int>(node);
  }
  return nodes;
}

}  // namespace

std::vector<CpuGroup> cpu_groups(const fs::path& root) {
  const auto nodes = nodes_of_cpus(root);
  std::map<std::pair<int, int>, std::vector<unsigned>> groups;
  for (const auto cpu : online_cpus(root)) {
    const auto folder = root / ("sys/devices/system/cpu/cpu" + std::to_string(cpu));
    const auto package = number_in(folder / "topology/physical_package_id").value_or(0);
    const auto node = nodes.find(cpu);
    groups[{static_cast<int>(std::clamp(package, 0.0, 65535.0)),
            node == nodes.end() ? -1 : node->second}]
        .push_back(cpu);
  }
  if (groups.empty())
    throw environment_error("host: neither /sys/devices/system/cpu nor /proc/stat tells the CPUs");
  std::vector<CpuGroup> result;
  result.reserve(groups.size());
  for (auto& [key, cpus] : groups) result.push_back({key.first, key.second, std::move(cpus)});
  return result;
}

}  // namespace zl::backends
