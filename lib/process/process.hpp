#pragma once
// Running programs: no shell, a process group of their own, a deadline, output drained while
// they run, resource use by rusage. A stop request or a deadline ends the whole group, first by
// SIGTERM, then by SIGKILL; what even that does not end is named, not waited for.

#include <sys/types.h>

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "process/stop.hpp"

namespace zl::process {

/// Environment as name → value.
using Environment = std::map<std::string, std::string>;
/// This process's environment.
Environment current_environment();

/// Where a child's stream goes.
struct Stream {
  enum class Kind { null, inherit, capture, file, descriptor };
  Kind kind = Kind::null;
  std::string path;     ///< file: created or truncated, then written
  int descriptor = -1;  ///< descriptor: borrowed, must stay open until the child has started
  static Stream null() { return {}; }
  static Stream inherit() { return {Kind::inherit, {}, -1}; }
  static Stream capture() { return {Kind::capture, {}, -1}; }
  static Stream file(std::string path) { return {Kind::file, std::move(path), -1}; }
  static Stream to_descriptor(int fd) { return {Kind::descriptor, {}, fd}; }
};

struct Command {
  std::vector<std::string> argv;  ///< argv[0] is looked up on PATH unless it holds a slash
  /// On top of the current environment: a value sets, nothing unsets.
  std::map<std::string, std::optional<std::string>> environment;
  std::string folder;          ///< working directory; "" keeps the current one
  std::string input;           ///< written to stdin when `in` is capture
  Stream in = Stream::null();  ///< null, inherit, capture (`input`) or descriptor
  Stream out = Stream::capture();
  Stream err = Stream::capture();
  bool err_to_out = false;  ///< stderr goes wherever stdout goes; `err` is then unused
  bool foreground = false;  ///< hand the terminal over, when there is one
};

struct Limits {
  std::optional<double> deadline_s;         ///< from the start; then the group is ended
  double grace_s = 2.0;                     ///< between SIGTERM and SIGKILL
  double kill_s = 60.0;                     ///< for SIGKILL to take effect: a driver that tears a
                                            ///< program's memory down takes its time
  double drain_s = 1.0;                     ///< for pipes that outlive the child
  std::size_t capture_bytes = 64UL << 20U;  ///< kept of each captured stream; the rest is read
                                            ///< and dropped, and `truncated` says so
};

struct Outcome {
  int exit_code = 0;  ///< as a shell says it: 128 + n where signal n ended it
  int signal = 0;     ///< 0 where it exited by itself
  bool timed_out = false;
  bool stopped = false;    ///< ended because of a stop request
  pid_t left_behind = 0;   ///< this process was sent SIGKILL and did not end: stuck in a driver, or
                           ///< another user's; 0 where it ended, which is nearly always
  bool truncated = false;  ///< output beyond `capture_bytes` was dropped
  double wall_s = 0, user_s = 0, system_s = 0;
  long max_rss_kib = 0;  ///< largest resident set of the child or of a descendant it waited for
  std::string out, err;
  bool ok() const { return exit_code == 0 && !timed_out && !stopped; }
};

/// Runs to the end. Throws Error(environment) naming the program when it cannot be started
/// (not found, not executable, fork failed); every later fate is an Outcome.
Outcome run(const Command& command, const Limits& limits = {}, const StopToken& stop = {});

/// Makes this process the parent of descendants whose own parent ends, so that a killed group is
/// also buried. For the whole process; called once, by main.
void adopt_orphans();

/// The program's path by PATH of `environment`; nothing where there is none.
std::optional<std::string> find_program(const std::string& name, const Environment& environment);

/// For messages and --dry-run: the arguments as a shell would take them.
std::string shell_words(const std::vector<std::string>& argv);

/// Whether the argv holds a program that `run` could find, without running it.
bool is_program(const std::string& name);

}  // namespace zl::process
