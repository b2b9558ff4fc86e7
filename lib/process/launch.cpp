#include "process/launch.hpp"

#include <fcntl.h>
#include <linux/close_range.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <boost/process/v2/posix/default_launcher.hpp>
#include <boost/process/v2/process.hpp>  // stdio.hpp does not stand alone
#include <boost/process/v2/start_dir.hpp>
#include <boost/process/v2/stdio.hpp>
#include <cerrno>

#include "base/error.hpp"
#include "base/text.hpp"
#include "base/unique_fd.hpp"

namespace zl::process {

namespace bp = boost::process::v2;

namespace {

/// Runs in the child just before exec, after stdio and folder are set.
struct FinalSetup {
  bool own_group;
  pid_t die_with;  ///< the parent's pid; 0 to live on

  template <typename Launcher>
  boost::system::error_code on_exec_setup(Launcher&, const boost::filesystem::path&,
                                          const char* const*) const {
    if (own_group) ::setpgid(0, 0);
    if (die_with != 0) {
      ::prctl(PR_SET_PDEATHSIG, SIGKILL);
      if (::getppid() != die_with) ::_exit(127);  // it died before it could be watched
    }
    for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGPIPE, SIGCHLD, SIGTTOU, SIGXFSZ})
      ::signal(signal, SIG_DFL);
    sigset_t none;
    ::sigemptyset(&none);
    ::sigprocmask(SIG_SETMASK, &none, nullptr);
    if (::syscall(SYS_close_range, 3U, ~0U, CLOSE_RANGE_CLOEXEC) != 0) {
      const long most = ::sysconf(_SC_OPEN_MAX);
      for (int fd = 3; fd < (most < 0 || most > 65536 ? 65536 : most); ++fd)
        ::fcntl(fd, F_SETFD, FD_CLOEXEC);
    }
    return {};
  }
};

/// Boost 1.81's launcher with a fork of its own. Between fork and exec Boost's tells an io_context
/// of the fork, which allocates: in a forked thread that can wait for ever for a lock that another
/// thread held (seen with AddressSanitizer's). And when exec fails it leaves by exit(), which
/// would flush this process's buffered output a second time and run its destructors.
class Launcher : public bp::posix::default_launcher {
 public:
  /// Returns the child's pid, or -1 with errno. The child writes errno of what failed to `report`,
  /// which a successful exec closes. Initializers by value: Boost 1.81 silently passes over a
  /// constant one, whose hook it cannot call.
  template <typename... Initializers>
  pid_t fork_and_exec(const boost::filesystem::path& executable,
                      const std::vector<std::string>& arguments, int report,
                      Initializers... initializers) {
    namespace hooks = bp::posix::detail;
    const char* const* argv = build_argv_(executable, arguments);
    if (const auto ec = hooks::on_setup(*this, executable, argv, initializers...); ec) {
      errno = ec.value();
      return -1;
    }
    pid = ::fork();
    if (pid != 0) return pid;
    int reason = hooks::on_exec_setup(*this, executable, argv, initializers...).value();
    if (reason == 0) {
      ::execve(executable.c_str(), const_cast<char* const*>(argv), const_cast<char* const*>(env));
      reason = errno;
    }
    if (::write(report, &reason, sizeof reason) < 0) ::_exit(126);
    ::_exit(127);
  }
};

std::vector<const char*> pointers(const std::vector<std::string>& texts) {
  std::vector<const char*> result;
  result.reserve(texts.size() + 1);
  for (const auto& text : texts) result.push_back(text.c_str());
  result.push_back(nullptr);
  return result;
}

}  // namespace

pid_t launch(const Launch& request) {
  const auto fail = [&](int reason) {
    return system_error("cannot start " + in_quotes(request.executable), reason);
  };
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) throw fail(errno);
  const UniqueFd report_in(ends[0]);
  UniqueFd report_out(ends[1]);

  const auto environment = pointers(request.environment);
  Launcher launcher;
  launcher.env = environment.data();
  const std::vector<std::string> arguments(request.argv.begin() + 1, request.argv.end());
  const bp::process_stdio stdio{{request.in}, {request.out}, {request.err}};
  const FinalSetup setup{request.own_group, request.die_with_thread ? ::getpid() : 0};
  const pid_t pid =
      request.folder.empty()
          ? launcher.fork_and_exec(request.executable, arguments, report_out.get(), stdio, setup)
          : launcher.fork_and_exec(request.executable, arguments, report_out.get(), stdio,
                                   bp::process_start_dir(request.folder), setup);
  if (pid < 0) throw fail(errno);
  report_out.reset();
  int reason = 0;
  ssize_t got = 0;
  while ((got = ::read(report_in.get(), &reason, sizeof reason)) < 0 && errno == EINTR) {
  }
  if (got > 0) {
    ::waitpid(pid, nullptr, 0);
    if (!request.folder.empty() && ::access(request.folder.c_str(), X_OK) != 0)
      throw system_error("cannot enter folder " + in_quotes(request.folder), errno);
    throw fail(reason);
  }
  // Both sides set the group, so that neither can be too late to signal it.
  if (request.own_group) ::setpgid(pid, pid);
  return pid;
}

}  // namespace zl::process
