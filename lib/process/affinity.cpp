#include "process/affinity.hpp"

#include <sched.h>

#include <cstddef>
#include <memory>

namespace zl::process {

namespace {

constexpr int most_cpus = 1 << 16;  // far above any kernel's NR_CPUS; a cpu_set_t ends at 1024
const std::size_t set_bytes = CPU_ALLOC_SIZE(most_cpus);

struct Free {
  void operator()(cpu_set_t* set) const { CPU_FREE(set); }
};
using CpuSet = std::unique_ptr<cpu_set_t, Free>;

CpuSet empty_set() {
  CpuSet set(CPU_ALLOC(most_cpus));
  if (set) CPU_ZERO_S(set_bytes, set.get());
  return set;
}

}  // namespace

bool bind_thread(std::span<const unsigned> cpus) {
  if (cpus.empty()) return true;
  const auto allowed = empty_set();
  const auto wanted = empty_set();
  if (!allowed || !wanted || ::sched_getaffinity(0, set_bytes, allowed.get()) != 0) return false;
  for (const unsigned cpu : cpus)
    if (CPU_ISSET_S(cpu, set_bytes, allowed.get())) CPU_SET_S(cpu, set_bytes, wanted.get());
  return ::sched_setaffinity(0, set_bytes, wanted.get()) == 0;  // refuses an empty set
}

}  // namespace zl::process
