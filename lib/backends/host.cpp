// host: the machine's own processors as devices, so that a campaign runs where no card is.
#include "backends/host_machine.hpp"
#include "backends/registry.hpp"
#include "backends/visibility.hpp"
#include "base/error.hpp"
#include "base/files.hpp"
#include "base/number.hpp"
#include "base/text.hpp"

namespace zl::backends {

namespace {

constexpr const char* visible_variable = "ZL_HOST_VISIBLE_DEVICES";

/// "model name" of the processor; "" where /proc/cpuinfo has none (many ARM kernels).
std::string model_name(const std::string& cpuinfo) {
  for (const auto line : split(cpuinfo, '\n')) {
    const auto colon = line.find(':');
    if (colon == std::string_view::npos) continue;
    if (trim(line.substr(0, colon)) == "model name")
      return std::string(trim(line.substr(colon + 1)));
  }
  return {};
}

/// MemTotal in MiB, from a node's meminfo or the machine's.
std::optional<double> memory_mib(const std::string& meminfo) {
  for (const auto line : split(meminfo, '\n')) {
    const auto key = line.find("MemTotal:");
    if (key == std::string_view::npos) continue;
    auto value = trim(line.substr(key + 9));
    if (value.ends_with("kB")) value = trim(value.substr(0, value.size() - 2));
    if (const auto kib = parse_double(value))
      return static_cast<double>(static_cast<long>(*kib / 1024));
  }
  return std::nullopt;
}

std::optional<double> memory_of(const std::filesystem::path& root, const CpuGroup& group,
                                bool alone) {
  if (group.node >= 0) {
    const auto folder = root / ("sys/devices/system/node/node" + std::to_string(group.node));
    if (const auto own = memory_mib(text_in(folder / "meminfo"))) return own;
  }
  return alone ? memory_mib(text_in(root / "proc/meminfo")) : std::nullopt;
}

Visibility visibility(const process::Environment& environment, std::span<const Device> devices) {
  const auto value = variable(environment, visible_variable);
  return value ? ordinals(visible_variable, *value, positions(devices.size()))
               : all_devices(devices);
}

Listing list(const Surroundings& surroundings) {
  const auto groups = cpu_groups(surroundings.root);
  const auto name = model_name(try_read_file(surroundings.root / "proc/cpuinfo").value_or(""));
  Listing listing;
  for (const auto& group : groups) {
    Device device;
    device.backend = "host";
    device.index = std::to_string(listing.devices.size());
    device.name = name;
    device.cpus = group.cpus;
    device.memory_mib = memory_of(surroundings.root, group, groups.size() == 1);
    listing.devices.push_back(std::move(device));
  }
  apply_visibility(visibility(surroundings.environment, listing.devices), listing);
  return listing;
}

std::unique_ptr<Sampler> open_sampler(const Surroundings& surroundings,
                                      std::span<const Device> devices) {
  const auto groups = cpu_groups(surroundings.root);
  if (devices.empty()) {
    std::vector<std::string> all;
    for (std::size_t i = 0; i < groups.size(); ++i) all.push_back(std::to_string(i));
    return make_host_sampler(surroundings, groups, std::move(all));
  }
  std::vector<CpuGroup> wanted;
  std::vector<std::string> indices;
  for (const auto& device : devices) {
    const auto position = parse_unsigned(device.index);
    if (!position || *position >= groups.size())
      throw environment_error("host: no device " + in_quotes(device.index));
    wanted.push_back(groups[*position]);
    indices.push_back(device.index);
  }
  return make_host_sampler(surroundings, std::move(wanted), std::move(indices));
}

bool answers(const Surroundings&) {
  return true;
}

/// The kernel is what drives a processor's clocks.
std::string driver_version(const Surroundings& surroundings) {
  return text_in(surroundings.root / "proc/sys/kernel/osrelease");
}

process::Environment pin(const Device& device) {
  return {{visible_variable, device.index}};
}

}  // namespace

Backend make_host_backend() {
  Traits traits;
  traits.name = "host";
  traits.aliases = {"cpu"};
  traits.visibility_variables = {visible_variable};
  traits.sampler = "/proc, cpufreq, hwmon/thermal, RAPL";
  traits.torch_device = "cpu";
  return {std::move(traits), list, visibility, open_sampler, answers, driver_version, pin};
}

}  // namespace zl::backends
