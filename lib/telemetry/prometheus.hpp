#pragma once
// A reading in the text form that a node exporter's textfile collector takes.

#include <span>
#include <string>

#include "telemetry/sampling.hpp"

namespace zl::telemetry {

/// Gauges in base units (hertz, celsius, watts, ratio of 1), labelled with backend, index and,
/// where `devices` holds them, uuid. What is not known is left out. A failed reading is
/// `zl_sampler_up 0`. No timestamps: the collector refuses them.
/// Format: Prometheus exposition format, version 0.0.4.
std::string prometheus_text(const std::string& backend, std::span<const backends::Device> devices,
                            const Tick& tick);

}  // namespace zl::telemetry
