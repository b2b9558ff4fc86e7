#pragma once
// What did not count and why: counted by reason, with the first example, so that an incomplete
// pairing cannot look like a complete range.

#include <cstddef>
#include <map>
#include <string>
#include <vector>

namespace zl::report {

class Exclusions {
 public:
  /// `example` says where; only the first of a reason is kept.
  void add(const std::string& reason, const std::string& example, std::size_t count = 1);
  void merge(const Exclusions& other);
  bool empty() const { return reasons_.empty(); }
  /// `12 rows without a latency (first: …)`, in alphabetical order of the reasons.
  std::vector<std::string> lines() const;
  std::size_t count(const std::string& reason) const;

 private:
  struct Reason {
    std::size_t count = 0;
    std::string example;
  };
  std::map<std::string, Reason> reasons_;
};

}  // namespace zl::report
