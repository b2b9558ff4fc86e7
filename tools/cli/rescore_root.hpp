#pragma once
// Judging a root again, for zl-rescore and for those who say RESCORE=ROOT zl-bench.

#include <string>

#include "cli/run_tool.hpp"

namespace zl::cli {

/// Judges ROOT by the criterion options of the context (criterion_options.hpp; --dry-run and
/// --counts where the tool has them), prints rows on its output and counts on stderr, and returns
/// the exit status.
int rescore_root(Context& context, const std::string& root);

}  // namespace zl::cli
