#pragma once
// Interruption: SIGINT, SIGTERM and SIGHUP become a request that every wait can see. The first
// asks politely; a second one says that patience is over.

#include <memory>

namespace zl::process {

/// A view of a stop request; cheap to copy, safe in any thread.
class StopToken {
 public:
  /// A token that never stops.
  StopToken() = default;
  bool requested() const { return signal() != 0; }
  /// The signal that asked; 0 where none has.
  int signal() const;
  /// How often it was asked.
  int count() const;
  /// A descriptor that polls readable once a stop was requested and stays so; -1 for none.
  int fd() const;
  /// Sleeps until `seconds` are over or a stop is requested; true when it was.
  bool wait_s(double seconds) const;

 private:
  friend class StopSignals;
  friend class StopRequest;
  struct State;
  explicit StopToken(std::shared_ptr<State> state) : state_(std::move(state)) {}
  std::shared_ptr<State> state_;
};

/// A stop that the program itself asks for (tests, or an inner loop that ends early).
class StopRequest {
 public:
  StopRequest();
  void request(int signal);
  StopToken token() const;

 private:
  std::shared_ptr<StopToken::State> state_;
};

/// Catches the signals for as long as it lives; one at a time in a process. SIGPIPE stays as it
/// is: a reader that closes early ends the tool quietly. A signal that was ignored when the
/// program began (nohup, a shell's background job) stays ignored.
class StopSignals {
 public:
  StopSignals();
  ~StopSignals();
  StopSignals(const StopSignals&) = delete;
  StopSignals& operator=(const StopSignals&) = delete;
  StopToken token() const;

 private:
  std::shared_ptr<StopToken::State> state_;
};

}  // namespace zl::process
