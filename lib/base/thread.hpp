#pragma once
// Starting threads, where the system may have none left to give.

#include <system_error>
#include <thread>
#include <utility>

#include "base/error.hpp"

namespace zl {

/// A running thread. Throws Error(environment) when none can be started (a limit on processes, no
/// memory for a stack); what must be joined by then is the caller's.
template <typename Body>
std::thread start_thread(Body&& body) {
  try {
    return std::thread(std::forward<Body>(body));
  } catch (const std::system_error& error) {
    throw system_error("cannot start a thread", error.code().value());
  }
}

}  // namespace zl
