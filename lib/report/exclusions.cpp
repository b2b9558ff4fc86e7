#include "report/exclusions.hpp"

namespace zl::report {

void Exclusions::add(const std::string& reason, const std::string& example, std::size_t count) {
  auto& entry = reasons_[reason];
  if (entry.count == 0) entry.example = example;
  entry.count += count;
}

void Exclusions::merge(const Exclusions& other) {
  for (const auto& [reason, entry] : other.reasons_) add(reason, entry.example, entry.count);
}

std::vector<std::string> Exclusions::lines() const {
  std::vector<std::string> lines;
  for (const auto& [reason, entry] : reasons_)
    lines.push_back(std::to_string(entry.count) + " x " + reason + " (first: " + entry.example +
                    ")");
  return lines;
}

std::size_t Exclusions::count(const std::string& reason) const {
  const auto found = reasons_.find(reason);
  return found == reasons_.end() ? 0 : found->second.count;
}

}  // namespace zl::report
