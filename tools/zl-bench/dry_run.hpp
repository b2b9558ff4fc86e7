#pragma once
// --dry-run: every cell and every argument of it, as rows.

#include "asked.hpp"

namespace zl::bench {

/// Rows `device op round side part value`: part is env:NAME, unset:NAME, or arg0, arg1, …
void print_dry_run(const Asked& asked, cli::Context& context);

}  // namespace zl::bench
