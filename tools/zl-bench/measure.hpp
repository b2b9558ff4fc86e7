#pragma once
// The campaign itself: its root locked and described, its cells run, rows printed as they end.

#include <filesystem>

#include "asked.hpp"
#include "base/files.hpp"

namespace zl::bench {

/// Locks a root for this call, creating it. Throws Error(environment) naming who holds it.
FileLock lock_root(const std::filesystem::path& root);

/// Writes campaign.json and plan.tsv.
void write_record(const Asked& asked, const cli::Context& context);

/// Runs what is missing and returns the exit status.
int measure(Asked& asked, cli::Context& context);

}  // namespace zl::bench
