#pragma once
// From nvidia-smi's rows to samples, and the two ways of getting rows. Inside the backends room
// only.

#include <map>
#include <string>
#include <vector>

#include "backends/cuda_smi.hpp"

namespace zl::backends {

/// Turns tables into samples of the devices asked for; remembers the throttle counters.
class SmiReading {
 public:
  explicit SmiReading(std::span<const Device> devices);
  SampleSet samples(const SmiTable& table);

 private:
  struct Wanted {
    std::string index, uuid;
  };
  std::vector<Wanted> wanted_;
  std::map<std::string, ThrottleCounters> counters_;
};

}  // namespace zl::backends
