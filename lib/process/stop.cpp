#include "process/stop.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cmath>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "base/time.hpp"
#include "base/unique_fd.hpp"

namespace zl::process {

struct StopToken::State {
  std::atomic<int> signal{0};
  std::atomic<int> count{0};
  UniqueFd read_end, write_end;

  State() {
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC | O_NONBLOCK) != 0)
      throw system_error("cannot create a pipe", errno);
    read_end = UniqueFd(ends[0]);
    write_end = UniqueFd(ends[1]);
  }

  /// Async-signal-safe.
  void request(int by_signal) {
    int none = 0;
    signal.compare_exchange_strong(none, by_signal);
    count.fetch_add(1);
    const char byte = 1;
    if (::write(write_end.get(), &byte, 1) < 0) return;  // full: it polls readable already
  }
};

namespace {

// A signal handler can reach nothing but a global; it is written by StopSignals alone.
std::atomic<void (*)(void*, int)> handler_function{nullptr};
std::atomic<void*> handler_state{nullptr};
std::vector<std::pair<int, struct sigaction>>* saved_actions = nullptr;

void on_signal(int signal) {
  const int saved = errno;
  if (auto* const function = handler_function.load()) function(handler_state.load(), signal);
  errno = saved;
}

}  // namespace

int StopToken::signal() const {
  return state_ ? state_->signal.load() : 0;
}
int StopToken::count() const {
  return state_ ? state_->count.load() : 0;
}
int StopToken::fd() const {
  return state_ ? state_->read_end.get() : -1;
}

bool StopToken::wait_s(double seconds) const {
  const double until = steady_s() + seconds;
  for (;;) {
    if (requested()) return true;
    const double left = until - steady_s();
    if (left <= 0) return false;
    struct timespec time {};
    time.tv_sec = static_cast<time_t>(left);
    time.tv_nsec = static_cast<long>((left - std::floor(left)) * 1e9);
    struct pollfd poll {
      fd(), POLLIN, 0
    };
    ::ppoll(&poll, fd() >= 0 ? 1 : 0, &time, nullptr);
  }
}

StopRequest::StopRequest() : state_(std::make_shared<StopToken::State>()) {}
void StopRequest::request(int signal) {
  state_->request(signal);
}
StopToken StopRequest::token() const {
  return StopToken(state_);
}

StopSignals::StopSignals() : state_(std::make_shared<StopToken::State>()) {
  handler_state = state_.get();
  handler_function = [](void* state, int signal) {
    static_cast<StopToken::State*>(state)->request(signal);
  };
  saved_actions = new std::vector<std::pair<int, struct sigaction>>;
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    struct sigaction old {};
    ::sigaction(signal, nullptr, &old);
    if (old.sa_handler == SIG_IGN) continue;
    struct sigaction action {};
    action.sa_handler = on_signal;
    action.sa_flags = SA_RESTART;
    ::sigaction(signal, &action, &old);
    saved_actions->emplace_back(signal, old);
  }
}

StopSignals::~StopSignals() {
  for (const auto& [signal, action] : *saved_actions) ::sigaction(signal, &action, nullptr);
  delete saved_actions;
  saved_actions = nullptr;
  handler_function = nullptr;
  handler_state = nullptr;
}

StopToken StopSignals::token() const {
  return StopToken(state_);
}

}  // namespace zl::process
