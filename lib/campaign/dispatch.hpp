#pragma once
#include <algorithm>
#include <deque>
#include <vector>
#include "backends/backend.hpp"
#include "campaign/plan.hpp"
namespace zl::campaign {
class Dispatcher {
 public:
  Dispatcher(std::vector<PlanRow> plan, std::vector<backends::Device> devices, bool)
      : rows_(plan.begin(), plan.end()), devices_(std::move(devices)) {}
  std::optional<PlanRow> next(std::size_t device) {
    for (auto it = rows_.begin(); it != rows_.end(); ++it)
      if (it->device == devices_[device].index) {
        auto row = *it;
        rows_.erase(it);
        return row;
      }
    return std::nullopt;
  }
  void device_lost(std::size_t) {}
  std::vector<PlanRow> waiting() const { return {rows_.begin(), rows_.end()}; }

 private:
  std::deque<PlanRow> rows_;
  std::vector<backends::Device> devices_;
};
}  // namespace zl::campaign
