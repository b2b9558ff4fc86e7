#pragma once
// On which processors a thread runs, and with it the programs it starts.

#include <span>

namespace zl::process {

/// Keeps the calling thread, and what it starts from now on, on those of `cpus` that it may use.
/// None at all asks for nothing. False, and nothing has changed, when it may use none of them.
bool bind_thread(std::span<const unsigned> cpus);

}  // namespace zl::process
