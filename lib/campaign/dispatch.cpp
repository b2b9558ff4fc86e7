#include "campaign/dispatch.hpp"

#include <algorithm>
#include <iterator>
#include <queue>

namespace zl::campaign {

namespace {

auto longest(std::deque<PlanRow>& rows) {
  return std::max_element(rows.begin(), rows.end(), [](const PlanRow& a, const PlanRow& b) {
    return a.estimate_s < b.estimate_s;
  });
}

}  // namespace

Dispatcher::Dispatcher(std::vector<PlanRow> plan, const std::map<std::string, std::string>& models,
                       bool static_plan)
    : static_plan_(static_plan) {
  for (const auto& [device, model] : models) queues_[device].model = "named " + model;
  for (auto& row : plan) {
    auto& queue = queues_[row.device];
    if (queue.model.empty()) queue.model = "alone " + row.device;
    queue.rows.push_back(std::move(row));
  }
}

Dispatcher::Queue* Dispatcher::longest_waiting(const Queue& asker) {
  Queue* best = nullptr;
  for (auto& [device, queue] : queues_) {
    if (queue.rows.empty() || queue.model != asker.model) continue;
    if (best == nullptr || longest(queue.rows)->estimate_s > longest(best->rows)->estimate_s)
      best = &queue;
  }
  return best;
}

std::optional<PlanRow> Dispatcher::next(const std::string& device) {
  const auto found = queues_.find(device);
  if (found == queues_.end() || found->second.lost) return std::nullopt;
  Queue* from = &found->second;
  if (from->rows.empty()) from = static_plan_ ? nullptr : longest_waiting(*from);
  if (from == nullptr) return std::nullopt;
  const auto at = from == &found->second ? from->rows.begin() : longest(from->rows);
  PlanRow row = std::move(*at);
  from->rows.erase(at);
  row.device = device;
  return row;
}

void Dispatcher::put_back(PlanRow row) {
  auto& queue = queues_.at(row.device);
  queue.rows.push_front(std::move(row));
}

std::vector<PlanRow> Dispatcher::device_lost(const std::string& device) {
  const auto found = queues_.find(device);
  if (found == queues_.end()) return {};
  auto& queue = found->second;
  queue.lost = true;
  const bool helped =
      !static_plan_ && std::any_of(queues_.begin(), queues_.end(), [&](auto& other) {
        return !other.second.lost && other.second.model == queue.model;
      });
  std::vector<PlanRow> stranded;
  if (helped) return stranded;
  // The last of its model: what the others left behind when they were lost is stranded too.
  for (auto& [name, other] : queues_) {
    if (!other.lost || other.model != queue.model) continue;
    if (static_plan_ && name != device) continue;
    std::move(other.rows.begin(), other.rows.end(), std::back_inserter(stranded));
    other.rows.clear();
  }
  return stranded;
}

std::size_t Dispatcher::waiting() const {
  std::size_t count = 0;
  for (const auto& [device, queue] : queues_) count += queue.rows.size();
  return count;
}

double Dispatcher::waiting_s(const std::string& device) const {
  double sum = 0;
  if (const auto found = queues_.find(device); found != queues_.end())
    for (const auto& row : found->second.rows) sum += row.estimate_s;
  return sum;
}

double simulated_end_s(Dispatcher dispatcher, const std::vector<std::string>& devices,
                       const std::function<double(const PlanRow&)>& duration_s) {
  using Free = std::pair<double, std::string>;
  std::priority_queue<Free, std::vector<Free>, std::greater<>> free;
  for (const auto& device : devices) free.emplace(0, device);
  double end_s = 0;
  while (!free.empty()) {
    auto [time_s, device] = free.top();
    free.pop();
    const auto row = dispatcher.next(device);
    if (!row) continue;
    time_s += duration_s(*row);
    end_s = std::max(end_s, time_s);
    free.emplace(time_s, std::move(device));
  }
  return end_s;
}

}  // namespace zl::campaign
