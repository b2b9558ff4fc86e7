#pragma once
// Which operator a device measures next: its own queue first, longest first; when that is dry, the
// longest operator still waiting on another device of the same model. Pure: no threads, no clock;
// whoever calls from several threads locks around it.

#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "campaign/plan.hpp"

namespace zl::campaign {

class Dispatcher {
 public:
  /// `models` names each device's model; a device of the plan that it does not name is a model of
  /// its own, one it names that the plan does not is there to help. With `static_plan` the plan is
  /// kept: no device takes from another. Within a device the rows keep the plan's order.
  Dispatcher(std::vector<PlanRow> plan, const std::map<std::string, std::string>& models,
             bool static_plan = false);

  /// The row that `device` measures next, now no longer waiting; its `device` is the one that asks.
  /// Nothing when there is no work for it, now or later. A row comes whole: all its rounds.
  std::optional<PlanRow> next(const std::string& device);

  /// A row that `next` gave out and that was not measured waits again, at the front of the queue
  /// of the device it names. Devices that were told there is no work may then find some.
  void put_back(PlanRow row);

  /// The device asks no more. Its waiting rows stay for others of its model to take; where none is
  /// left, or the plan is static, they are returned: nobody will measure them.
  std::vector<PlanRow> device_lost(const std::string& device);

  std::size_t waiting() const;                        ///< rows, all devices
  double waiting_s(const std::string& device) const;  ///< estimates of a device's own queue

 private:
  struct Queue {
    std::deque<PlanRow> rows;
    std::string model;
    bool lost = false;
  };
  Queue* longest_waiting(const Queue& asker);

  std::map<std::string, Queue> queues_;
  bool static_plan_;
};

/// When the last device ends, if each row takes as long as `duration_s` says: a device asks for
/// its next row the moment it is free. No device is lost.
double simulated_end_s(Dispatcher dispatcher, const std::vector<std::string>& devices,
                       const std::function<double(const PlanRow&)>& duration_s);

}  // namespace zl::campaign
