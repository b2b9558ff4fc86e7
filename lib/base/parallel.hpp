#pragma once
// The same work over many items on a few threads.

#include <cstddef>
#include <functional>

namespace zl {

/// Calls one worker a thread with indices below `count`, each index once, in no fixed order;
/// `make_worker` is called once in each thread, so that a worker can own buffers. After a worker
/// threw, no new index is given out, and the exception of the lowest index is thrown here. Where
/// threads cannot be had, fewer do the work.
void parallel_for(std::size_t count, unsigned threads,
                  const std::function<std::function<void(std::size_t)>()>& make_worker);

/// The processors this process may use, at most 16.
unsigned default_threads();

}  // namespace zl
