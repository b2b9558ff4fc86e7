#include "base/parallel.hpp"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <vector>

#include "base/thread.hpp"

namespace zl {

unsigned default_threads() {
  return std::clamp(std::thread::hardware_concurrency(), 1U, 16U);
}

void parallel_for(std::size_t count, unsigned threads,
                  const std::function<std::function<void(std::size_t)>()>& make_worker) {
  std::atomic<std::size_t> next{0};
  std::atomic<bool> failed{false};
  std::mutex mutex;
  std::exception_ptr first;
  std::size_t first_index = count;
  const auto body = [&] {
    std::size_t index = 0;
    try {
      const auto work = make_worker();
      while (!failed && (index = next.fetch_add(1)) < count) work(index);
    } catch (...) {
      const std::lock_guard lock(mutex);
      if (!first || index < first_index) {
        first = std::current_exception();
        first_index = index;
      }
      failed = true;
    }
  };
  std::vector<std::thread> helpers;
  const auto most = std::min<std::size_t>(threads, count);
  helpers.reserve(most);
  try {
    for (std::size_t i = 1; i < most; ++i) helpers.push_back(start_thread(body));
  } catch (const Error&) {  // fewer hands, the same work
  }
  body();
  for (auto& helper : helpers) helper.join();
  if (first) std::rethrow_exception(first);
}

}  // namespace zl
