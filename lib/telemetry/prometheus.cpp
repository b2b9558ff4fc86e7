#include "telemetry/prometheus.hpp"

#include <functional>

#include "base/number.hpp"

namespace zl::telemetry {

namespace {

std::string label_value(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '\\' || c == '"') out += '\\';
    if (c == '\n')
      out += "\\n";
    else
      out += c;
  }
  return out;
}

struct Metric {
  const char* name;
  const char* help;
  double factor;
  std::optional<double> backends::Sample::*value;
};

constexpr Metric metrics[] = {
    {"zl_sm_clock_hertz", "Clock of the compute units.", 1e6, &backends::Sample::sm_clock_mhz},
    {"zl_mem_clock_hertz", "Clock of the memory.", 1e6, &backends::Sample::mem_clock_mhz},
    {"zl_temperature_celsius", "Temperature of the device.", 1, &backends::Sample::temp_c},
    {"zl_power_watts", "Power drawn.", 1, &backends::Sample::power_w},
    {"zl_utilization_ratio", "Share of time at work.", 0.01, &backends::Sample::util_pct},
};

std::string head(const char* name, const char* help) {
  return std::string("# HELP ") + name + " " + help + "\n# TYPE " + name + " gauge\n";
}

}  // namespace

std::string prometheus_text(const std::string& backend, std::span<const backends::Device> devices,
                            const Tick& tick) {
  const auto labels = [&](const backends::Sample& sample) {
    std::string text = "backend=\"" + backend + "\",index=\"" + label_value(sample.index) + "\"";
    for (const auto& device : devices)
      if (device.index == sample.index && !device.uuid.empty())
        text += ",uuid=\"" + label_value(device.uuid) + "\"";
    return text;
  };
  std::string out = head("zl_sampler_up", "Whether the last reading succeeded.");
  out += "zl_sampler_up{backend=\"" + backend + "\"} " + (tick.failure.empty() ? "1" : "0") + "\n";
  out += head("zl_sampler_read_seconds", "What the last reading took.");
  out += "zl_sampler_read_seconds{backend=\"" + backend + "\"} " + format_rounded(tick.cost_s, 6) +
         "\n";
  for (const auto& metric : metrics) {
    std::string lines;
    for (const auto& sample : tick.set.samples)
      if (const auto& value = sample.*metric.value)
        lines += std::string(metric.name) + "{" + labels(sample) + "} " +
                 format_rounded(*value * metric.factor, 6) + "\n";
    if (!lines.empty()) out += head(metric.name, metric.help) + lines;
  }
  std::string lines;
  for (const auto& sample : tick.set.samples)
    if (sample.throttle)
      for (const auto& reason : *sample.throttle)
        lines += "zl_clock_reason_active{" + labels(sample) + ",reason=\"" + label_value(reason) +
                 "\"} 1\n";
  if (!lines.empty())
    out += head("zl_clock_reason_active", "Why the clocks are not higher.") + lines;
  return out;
}

}  // namespace zl::telemetry
