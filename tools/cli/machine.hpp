#pragma once
// Options of the tools that ask vendors' tools: which backend, through what, for how long.

#include "backends/registry.hpp"
#include "cli/run_tool.hpp"

namespace zl::cli {

/// --backend, its help naming all of the registry.
OptionGroup backend_options();
/// --backend, --sampler, --deadline, --sysroot.
OptionGroup machine_options();
/// The machine as these options say it. Throws Error(usage).
backends::Surroundings machine(const Context& context);
/// By --backend or ZL_BACKEND, else `auto`.
const backends::Backend& backend(const Context& context,
                                 const backends::Surroundings& surroundings);

}  // namespace zl::cli
