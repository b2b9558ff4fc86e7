#include "process/guard.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <vector>

#include "base/error.hpp"
#include "base/files.hpp"
#include "base/number.hpp"
#include "base/text.hpp"
#include "base/time.hpp"

namespace zl::process {

namespace {

/// Whether a process was started with `entry` (NAME=value) in its environment.
bool carries(const std::string& pid, const std::string& entry) noexcept {
  try {
    const auto environment = try_read_file("/proc/" + pid + "/environ");
    if (!environment) return false;
    for (const auto variable : split(*environment, '\0'))
      if (variable == entry) return true;
  } catch (const std::exception&) {  // the guard has nobody to tell, and looks again
  }
  return false;
}

/// One look at all processes; whether a carrier was found (and killed).
bool kill_carriers_once(const std::string& entry) {
  bool found = false;
  DIR* const folder = ::opendir("/proc");
  if (folder == nullptr) return false;
  while (const auto* const process = ::readdir(folder)) {
    const std::string pid = process->d_name;
    if (!parse_unsigned(pid) || !carries(pid, entry)) continue;
    found = ::kill(std::atoi(pid.c_str()), SIGKILL) == 0 || found;
  }
  ::closedir(folder);
  return found;
}

/// Looks until `clean_looks` in a row found nobody (at most 200 looks). One is not enough after a
/// crash: a process in the middle of fork or exec shows no environment for a moment.
void kill_carriers(const std::string& entry, int clean_looks) {
  int clean = 0;
  for (int look = 0; look < 200 && clean < clean_looks; ++look) {
    clean = kill_carriers_once(entry) ? 0 : clean + 1;
    if (clean < clean_looks) ::usleep(5000);
  }
}

[[noreturn]] void watch(int alive, const std::string& entry) {
  ::setsid();
  for (int signal = 1; signal < NSIG; ++signal)
    if (signal != SIGKILL && signal != SIGSTOP) ::signal(signal, SIG_IGN);
  // Hold nothing of the tool's: a pipe it closes must be closed.
  if (::dup2(alive, 0) < 0 || ::syscall(SYS_close_range, 1U, ~0U, 0) != 0)
    for (int fd = 1; fd < 65536; ++fd) ::close(fd);
  char orderly_end = 0;
  while (::read(0, &orderly_end, 1) < 0 && errno == EINTR) {
  }
  kill_carriers(entry, orderly_end != 0 ? 1 : 10);
  ::_exit(0);
}

/// Waits for a killed child, at most until that time: one that is stuck in a driver stays.
bool buried(pid_t pid, double until_s) {
  for (;;) {
    const auto got = ::waitpid(pid, nullptr, WNOHANG);
    if (got != 0) return got == pid;
    if (steady_s() > until_s) return false;
    ::usleep(1000);
  }
}

constexpr double longest_burial_s = 2.0;

}  // namespace

Guard::Guard() {
  const auto id =
      std::to_string(::getpid()) + "-" + std::to_string(wall_now().time_since_epoch().count());
  ::setenv(guard_variable, id.c_str(), 1);
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) throw system_error("cannot create a pipe", errno);
  const UniqueFd theirs(ends[0]);
  alive_ = UniqueFd(ends[1]);
  pid_ = ::fork();
  if (pid_ < 0) throw system_error("cannot start the guard", errno);
  if (pid_ == 0) {
    alive_.reset();
    watch(theirs.get(), std::string(guard_variable) + "=" + id);
  }
}

Guard::~Guard() {
  const char orderly_end = 1;
  if (::write(alive_.get(), &orderly_end, 1) < 0) alive_.reset();  // it is gone: nobody to tell
  alive_.reset();
  while (::waitpid(pid_, nullptr, 0) < 0 && errno == EINTR) {
  }
  while (::waitpid(-1, nullptr, WNOHANG) > 0) {
  }
  ::unsetenv(guard_variable);
}

std::size_t end_strays(const std::string& name, const std::string& value) {
  const auto entry = name + "=" + value;
  std::size_t ended = 0;
  // The kernel hands orphans to the thread group's leader; programs that other threads started
  // are not in its list, so what stands there was adopted (or is the guard, which has no marker).
  const double until_s = steady_s() + longest_burial_s;
  for (int look = 0; look < 20; ++look) {
    const auto self = std::to_string(::getpid());
    const auto children = try_read_file("/proc/self/task/" + self + "/children");
    if (!children) return ended;
    std::vector<pid_t> strays;
    for (const auto pid : split(*children, ' '))
      if (parse_unsigned(pid) && carries(std::string(pid), entry))
        strays.push_back(std::atoi(std::string(pid).c_str()));
    if (strays.empty()) return ended;
    for (const auto pid : strays) {
      if (::kill(pid, SIGKILL) == 0 && buried(pid, until_s)) ++ended;
    }
  }
  return ended;
}

}  // namespace zl::process
