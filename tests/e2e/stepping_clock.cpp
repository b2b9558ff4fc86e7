// For LD_PRELOAD: the wall clock steps by ZL_CLOCK_STEP_S seconds, ZL_CLOCK_AFTER_MS milliseconds
// after the program first asked for it, as when a time server sets it right. The steady clock runs
// on.

#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>

namespace {

long from_environment(const char* name) {
  const char* const text = std::getenv(name);
  return text == nullptr ? 0 : std::atol(text);
}

long long steady_ms() {
  struct timespec now {};
  ::syscall(SYS_clock_gettime, CLOCK_MONOTONIC, &now);
  return 1000LL * now.tv_sec + now.tv_nsec / 1'000'000;
}

std::atomic<long long> first_ms{0};

}  // namespace

// NOLINTNEXTLINE(readability-inconsistent-declaration-parameter-name): glibc's are reserved names
extern "C" int clock_gettime(clockid_t clock, struct timespec* time) noexcept {
  const int result = static_cast<int>(::syscall(SYS_clock_gettime, clock, time));
  if (clock != CLOCK_REALTIME || result != 0) return result;
  const long long now_ms = steady_ms();
  long long none = 0;
  first_ms.compare_exchange_strong(none, now_ms);
  static const long after_ms = from_environment("ZL_CLOCK_AFTER_MS");
  static const long step_s = from_environment("ZL_CLOCK_STEP_S");
  if (now_ms - first_ms >= after_ms) time->tv_sec += step_s;
  return result;
}
