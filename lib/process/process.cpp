#include "process/process.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cmath>

#include "base/error.hpp"
#include "base/text.hpp"
#include "base/time.hpp"
#include "base/unique_fd.hpp"
#include "process/launch.hpp"

namespace zl::process {

namespace {

struct Ends {
  UniqueFd ours, theirs;
};

UniqueFd open_file(const std::string& path, int flags) {
  UniqueFd fd(::open(path.c_str(), flags | O_CLOEXEC, 0666));
  if (!fd) throw system_error("cannot open " + in_quotes(path), errno);
  return fd;
}

Ends pipe_ends(bool ours_reads) {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) throw system_error("cannot create a pipe", errno);
  Ends result{UniqueFd(ends[ours_reads ? 0 : 1]), UniqueFd(ends[ours_reads ? 1 : 0])};
  ::fcntl(result.ours.get(), F_SETFL, O_NONBLOCK);
  return result;
}

/// What a stream becomes; `theirs` stays empty for a descriptor that is only borrowed.
Ends open_stream(const Stream& stream, int standard, int& descriptor) {
  Ends ends;
  switch (stream.kind) {
    case Stream::Kind::inherit:
      descriptor = standard;
      return ends;
    case Stream::Kind::descriptor:
      descriptor = stream.descriptor;
      return ends;
    case Stream::Kind::null:
      ends.theirs = open_file("/dev/null", standard == 0 ? O_RDONLY : O_WRONLY);
      break;
    case Stream::Kind::file:
      ends.theirs = open_file(stream.path, standard == 0 ? O_RDONLY : O_WRONLY | O_CREAT | O_TRUNC);
      break;
    case Stream::Kind::capture:
      ends = pipe_ends(standard != 0);
      break;
  }
  descriptor = ends.theirs.get();
  return ends;
}

std::vector<std::string> merged_environment(const Command& command) {
  auto all = current_environment();
  for (const auto& [name, value] : command.environment) {
    if (value)
      all[name] = *value;
    else
      all.erase(name);
  }
  std::vector<std::string> lines;
  lines.reserve(all.size());
  for (const auto& [name, value] : all) lines.push_back(name + "=" + value);
  return lines;
}

/// Reads what is there into `kept`, at most up to the limit; false at the end of the stream.
bool drain(const UniqueFd& fd, std::string& kept, const Limits& limits, bool& truncated) {
  std::array<char, 1 << 16> buffer;
  for (;;) {
    const ssize_t got = ::read(fd.get(), buffer.data(), buffer.size());
    if (got > 0) {
      const auto room = limits.capture_bytes - std::min(limits.capture_bytes, kept.size());
      const auto take = std::min(room, static_cast<std::size_t>(got));
      kept.append(buffer.data(), take);
      truncated = truncated || take < static_cast<std::size_t>(got);
      if (static_cast<std::size_t>(got) < buffer.size()) return true;
      continue;
    }
    if (got < 0 && errno == EINTR) continue;
    return got < 0 && errno == EAGAIN;
  }
}

/// The terminal, lent to the child's group for as long as this lives.
class Foreground {
 public:
  Foreground(bool wanted, pid_t group) {
    if (!wanted || ::isatty(STDIN_FILENO) == 0 || ::tcgetpgrp(STDIN_FILENO) != ::getpgrp()) return;
    ::signal(SIGTTOU, SIG_IGN);
    lent_ = ::tcsetpgrp(STDIN_FILENO, group) == 0;
  }
  ~Foreground() {
    if (lent_) ::tcsetpgrp(STDIN_FILENO, ::getpgrp());
  }
  Foreground(const Foreground&) = delete;
  Foreground& operator=(const Foreground&) = delete;

 private:
  bool lent_ = false;
};

/// The life of one child from its start to its burial.
class Child {
 public:
  Child(const Command& command, const Limits& limits, const StopToken& stop)
      : limits_(limits), stop_(stop), input_(command.input) {
    Launch request;
    const auto found = find_program(command.argv.at(0), current_environment());
    if (!found) throw environment_error("cannot find program " + in_quotes(command.argv.at(0)));
    request.executable = *found;
    request.argv = command.argv;
    request.environment = merged_environment(command);
    request.folder = command.folder;
    request.die_with_thread = true;
    auto in = open_stream(command.in, 0, request.in);
    auto out = open_stream(command.out, 1, request.out);
    Ends err;
    if (command.err_to_out)
      request.err = request.out;
    else
      err = open_stream(command.err, 2, request.err);
    in_ = std::move(in.ours);
    out_ = std::move(out.ours);
    err_ = std::move(err.ours);
    start_s_ = steady_s();
    pid_ = launch(request);
    pidfd_ = UniqueFd(static_cast<int>(::syscall(SYS_pidfd_open, pid_, 0)));
  }

  Outcome wait() {
    if (in_ && input_.empty()) in_.reset();
    while (!exited_ || out_ || err_) {
      enforce_limits();
      poll_once();
      reap();
      if (exited_ && steady_s() > exit_s_ + limits_.drain_s) break;  // a pipe held elsewhere
      if (!exited_ && killed_ && steady_s() > kill_at_s_ + patience_s()) {
        leave_behind();
        break;
      }
    }
    // Whoever is left of the group outlived its leader: background jobs, ignored signals.
    if (::kill(-pid_, SIGKILL) == 0) reap_group();
    return std::move(outcome_);
  }

  pid_t pid() const { return pid_; }

 private:
  void enforce_limits() {
    const double now = steady_s();
    if (exited_) return;
    if (!ending_ && limits_.deadline_s && now >= start_s_ + *limits_.deadline_s) {
      outcome_.timed_out = true;
      end_group(now);
    }
    if (!ending_ && stop_.requested()) {
      outcome_.stopped = true;
      end_group(now);
    }
    if (ending_ && (now >= kill_at_s_ || (outcome_.stopped && stop_.count() > 1))) {
      if (!killed_) kill_at_s_ = now;
      killed_ = true;
      signal_all(SIGKILL);
    }
  }

  /// The group, and a child that moved to another group.
  void signal_all(int signal) const {
    ::kill(-pid_, signal);
    if (::getpgid(pid_) != pid_) ::kill(pid_, signal);
  }

  /// Who asks a second time does not want to wait.
  double patience_s() const {
    return stop_.count() > 1 ? std::min(2.0, limits_.kill_s) : limits_.kill_s;
  }

  void leave_behind() {
    outcome_.left_behind = pid_;
    outcome_.exit_code = 128 + SIGKILL;
    outcome_.wall_s = steady_s() - start_s_;
  }

  void end_group(double now) {
    ending_ = true;
    kill_at_s_ = now + limits_.grace_s;
    signal_all(SIGTERM);
    signal_all(SIGCONT);  // a stopped group could not hear the other
  }

  double wait_budget_s() const {
    if (exited_) return std::max(0.0, exit_s_ + limits_.drain_s - steady_s());
    double until = steady_s() + 1.0;
    if (ending_)
      until = std::min(until, std::max(kill_at_s_, steady_s() + 0.05));
    else if (limits_.deadline_s)
      until = std::min(until, start_s_ + *limits_.deadline_s);
    if (!pidfd_) until = std::min(until, steady_s() + 0.01);
    return std::max(0.0, until - steady_s());
  }

  void poll_once() {
    std::array<struct pollfd, 5> polls{};
    nfds_t count = 0;
    const auto add = [&](int fd, short events) {
      if (fd >= 0) polls[count++] = {fd, events, 0};
    };
    add(out_.get(), POLLIN);
    add(err_.get(), POLLIN);
    add(in_.get(), POLLOUT);
    if (!exited_) add(pidfd_.get(), POLLIN);
    if (!ending_) add(stop_.fd(), POLLIN);
    const double budget = wait_budget_s();
    struct timespec time {};
    time.tv_sec = static_cast<time_t>(budget);
    time.tv_nsec = static_cast<long>((budget - std::floor(budget)) * 1e9);
    ::ppoll(polls.data(), count, &time, nullptr);
    if (out_ && !drain(out_, outcome_.out, limits_, outcome_.truncated)) out_.reset();
    if (err_ && !drain(err_, outcome_.err, limits_, outcome_.truncated)) err_.reset();
    if (in_) feed();
  }

  void feed() {
    // MSG_NOSIGNAL has no twin for pipes: a child that closes its stdin must not end us.
    sigset_t pipe_signal, old;
    ::sigemptyset(&pipe_signal);
    ::sigaddset(&pipe_signal, SIGPIPE);
    ::pthread_sigmask(SIG_BLOCK, &pipe_signal, &old);
    const ssize_t put = ::write(in_.get(), input_.data() + fed_, input_.size() - fed_);
    if (put > 0) fed_ += static_cast<std::size_t>(put);
    const bool closed = put < 0 && errno != EAGAIN && errno != EINTR;
    if (closed) {
      const struct timespec now {};
      while (::sigtimedwait(&pipe_signal, nullptr, &now) > 0) {
      }
    }
    ::pthread_sigmask(SIG_SETMASK, &old, nullptr);
    if (closed || fed_ == input_.size()) in_.reset();
  }

  void reap() {
    if (exited_) return;
    int status = 0;
    struct rusage usage {};
    const pid_t got = ::wait4(pid_, &status, WNOHANG, &usage);
    if (got != pid_) return;
    exited_ = true;
    exit_s_ = steady_s();
    outcome_.wall_s = exit_s_ - start_s_;
    const auto seconds = [](const struct timeval& time) {
      return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
    };
    outcome_.user_s = seconds(usage.ru_utime);
    outcome_.system_s = seconds(usage.ru_stime);
    outcome_.max_rss_kib = usage.ru_maxrss;
    outcome_.signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    outcome_.exit_code = outcome_.signal != 0 ? 128 + outcome_.signal : WEXITSTATUS(status);
    in_.reset();
  }

  /// Members of the group that were reparented to us, when we are a subreaper.
  void reap_group() const {
    for (int tries = 0; tries < 100; ++tries) {
      const pid_t got = ::waitpid(-pid_, nullptr, WNOHANG);
      if (got < 0) return;
      if (got == 0) StopToken().wait_s(0.002);
    }
  }

  Limits limits_;
  StopToken stop_;
  std::string input_;
  std::size_t fed_ = 0;
  UniqueFd in_, out_, err_, pidfd_;
  pid_t pid_ = -1;
  double start_s_ = 0, exit_s_ = 0, kill_at_s_ = 0;
  bool exited_ = false, ending_ = false, killed_ = false;
  Outcome outcome_;
};

}  // namespace

Environment current_environment() {
  Environment all;
  for (char** entry = ::environ; entry != nullptr && *entry != nullptr; ++entry) {
    const std::string_view text(*entry);
    const auto equals = text.find('=', 1);
    if (equals == std::string_view::npos) continue;
    all.emplace(text.substr(0, equals), text.substr(equals + 1));
  }
  return all;
}

void adopt_orphans() {
  ::prctl(PR_SET_CHILD_SUBREAPER, 1);
}

Outcome run(const Command& command, const Limits& limits, const StopToken& stop) {
  Child child(command, limits, stop);
  const Foreground foreground(command.foreground, child.pid());
  return child.wait();
}

std::optional<std::string> find_program(const std::string& name, const Environment& environment) {
  if (name.empty()) return std::nullopt;
  if (name.find('/') != std::string::npos)
    return ::access(name.c_str(), F_OK) == 0 ? std::optional(name) : std::nullopt;
  const auto path = environment.find("PATH");
  const std::string_view folders =
      path == environment.end() ? std::string_view("/usr/local/bin:/usr/bin:/bin") : path->second;
  for (const auto folder : split(folders, ':')) {
    const auto candidate = (folder.empty() ? std::string(".") : std::string(folder)) + "/" + name;
    struct stat status {};
    if (::access(candidate.c_str(), X_OK) == 0 && ::stat(candidate.c_str(), &status) == 0 &&
        S_ISREG(status.st_mode))
      return candidate;
  }
  return std::nullopt;
}

bool is_program(const std::string& name) {
  return find_program(name, current_environment()).has_value();
}

std::string shell_words(const std::vector<std::string>& argv) {
  std::string line;
  for (const auto& word : argv) {
    if (&word != &argv.front()) line += ' ';
    constexpr std::string_view plain =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=./:,@%^";
    if (!word.empty() && word.find_first_not_of(plain) == std::string::npos) {
      line += word;
      continue;
    }
    line += '\'';
    for (const char c : word) {
      if (c == '\'')
        line += "'\\''";
      else
        line += c;
    }
    line += '\'';
  }
  return line;
}

}  // namespace zl::process
