#include "process/launch.hpp"

#include <fcntl.h>
#include <linux/close_range.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <boost/asio/io_context.hpp>
#include <boost/process/v2/posix/default_launcher.hpp>
#include <boost/process/v2/process.hpp>
#include <boost/process/v2/start_dir.hpp>
#include <boost/process/v2/stdio.hpp>

#include "base/error.hpp"
#include "base/text.hpp"
#include "base/unique_fd.hpp"

namespace zl::process {

namespace bp = boost::process::v2;

namespace {

/// Runs in the child just before exec, after stdio and folder are set. It calls exec itself:
/// when exec fails, Boost 1.81 leaves by exit(), which would flush this process's buffered
/// output a second time and run its destructors inside a forked thread.
struct FinalSetup {
  const char* const* environment;
  int report;  ///< where errno of a failed exec goes
  bool own_group;
  pid_t die_with;  ///< the parent's pid; 0 to live on

  template <typename Launcher>
  boost::system::error_code on_exec_setup(Launcher&, const boost::filesystem::path& executable,
                                          const char* const*& argv) const {
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
    ::execve(executable.c_str(), const_cast<char* const*>(argv),
             const_cast<char* const*>(environment));
    const int reason = errno;
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

pid_t start(const Launch& request) {
  const auto fail = [&](int reason) {
    return system_error("cannot start " + in_quotes(request.executable), reason);
  };
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) throw fail(errno);
  const UniqueFd report_in(ends[0]);
  UniqueFd report_out(ends[1]);

  const auto environment = pointers(request.environment);
  boost::asio::io_context context;
  bp::posix::default_launcher launcher;
  launcher.env = environment.data();
  boost::system::error_code ec;
  const std::vector<std::string> arguments(request.argv.begin() + 1, request.argv.end());
  // Not const: Boost 1.81 silently passes over an initializer whose hook it cannot call.
  bp::process_stdio stdio{{request.in}, {request.out}, {request.err}};
  const FinalSetup setup{environment.data(), report_out.get(), request.own_group,
                         request.die_with_thread ? ::getpid() : 0};
  auto child = request.folder.empty()
                   ? launcher(context, ec, request.executable, arguments, stdio, setup)
                   : launcher(context, ec, request.executable, arguments, stdio,
                              bp::process_start_dir(request.folder), setup);
  if (ec) {
    if (launcher.pid > 0) ::waitpid(launcher.pid, nullptr, 0);
    if (!request.folder.empty() && ::access(request.folder.c_str(), X_OK) != 0)
      throw system_error("cannot enter folder " + in_quotes(request.folder), errno);
    throw fail(ec.value());
  }
  child.detach();
  report_out.reset();
  int reason = 0;
  ssize_t got = 0;
  while ((got = ::read(report_in.get(), &reason, sizeof reason)) < 0 && errno == EINTR) {
  }
  if (got > 0) {
    ::waitpid(launcher.pid, nullptr, 0);
    throw fail(reason);
  }
  // Both sides set the group, so that neither can be too late to signal it.
  if (request.own_group) ::setpgid(launcher.pid, launcher.pid);
  return launcher.pid;
}

}  // namespace

pid_t launch(const Launch& request) {
  try {
    return start(request);
  } catch (const boost::system::system_error& error) {
    // Asio's own descriptors, and a fork that is refused: both throw, whatever error code is given.
    throw system_error("cannot start " + in_quotes(request.executable), error.code().value());
  }
}

}  // namespace zl::process
