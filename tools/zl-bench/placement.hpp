#pragma once
// Which rows of a plan are this call's, and on which devices they run.

#include <optional>
#include <string>
#include <vector>

#include "backends/registry.hpp"
#include "campaign/plan.hpp"
#include "cli/run_tool.hpp"

namespace zl::bench {

struct Placement {
  std::vector<campaign::PlanRow> plan;  ///< `device` is an index of `queues`
  std::vector<backends::Device> queues;
};

/// The rules:
/// - rows of a plan that name a host belong to that host;
/// - `--shard I/N` divides all rows into N shares, longest first, and takes the I-th; what devices
///   they name no longer counts;
/// - `--device` names the queues, else the plan's devices are, else the visible ones;
/// - rows without a device are placed longest first;
/// - `rows` of a resumed campaign are this call's already.
/// Throws Error(usage) for a bad --shard, Error(environment) for devices that are not there.
Placement place(const cli::Context& context, const backends::Listing& listing,
                std::vector<campaign::PlanRow> rows, const std::string& host, bool resumed);

}  // namespace zl::bench
