#include "backends/cuda_smi_sampler.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cmath>
#include <optional>

#include "backends/vendor_tool.hpp"
#include "base/error.hpp"
#include "base/text.hpp"
#include "base/thread.hpp"
#include "base/time.hpp"
#include "base/unique_fd.hpp"

namespace zl::backends {

namespace {

// One unknown field loses a whole query, so what is younger is asked for in steps: counters since
// about R550, the new name of the mask since R535, the old one before.
const std::vector<std::string>& queries() {
  static const std::string base =
      "--query-gpu=index,clocks.sm,clocks.mem,temperature.gpu,power.draw,utilization.gpu";
  static const std::string counters =
      ",clocks_event_reasons_counters.sw_power_cap,clocks_event_reasons_counters.sync_boost"
      ",clocks_event_reasons_counters.sw_thermal_slowdown"
      ",clocks_event_reasons_counters.hw_thermal_slowdown"
      ",clocks_event_reasons_counters.hw_power_brake_slowdown";
  static const std::vector<std::string> steps = {base + ",clocks_event_reasons.active" + counters,
                                                 base + ",clocks_event_reasons.active",
                                                 base + ",clocks_throttle_reasons.active", base};
  return steps;
}

bool unknown_field(const process::Outcome& outcome) {
  return outcome.out.find("is not a valid field") != std::string::npos;
}

/// One call of nvidia-smi a reading, for all cards.
class CallSampler : public Sampler {
 public:
  CallSampler(const Surroundings& surroundings, std::span<const Device> devices)
      : surroundings_(surroundings), reading_(devices) {}

  SampleSet read() override {
    for (;;) {
      const auto outcome = ask(surroundings_, {"nvidia-smi", queries()[step_], "--format=csv"});
      if (unknown_field(outcome) && step_ + 1 < queries().size()) {
        ++step_;
        continue;
      }
      const auto table = parse_smi_csv(outcome.out);
      if (table.rows.empty()) throw environment_error(smi_failure(outcome));
      cards_ = table.rows.size();
      return reading_.samples(table);
    }
  }
  std::string name() const override { return "smi"; }
  const std::string& query() const { return queries()[step_]; }
  std::size_t cards() const { return cards_; }

 private:
  Surroundings surroundings_;
  SmiReading reading_;
  std::size_t step_ = 0, cards_ = 0;
};

/// nvidia-smi sleeps so long between its queries, so its own period is longer: at the whole
/// interval some ticks would find no new row. At this share of it each finds one.
constexpr double share_of_interval = 0.9;

/// What may wait to be understood: a round of rows is a few kilobytes at most, a tool that floods
/// must not fill the memory.
constexpr std::size_t most_unread = std::size_t{1} << 20U;

/// One long `nvidia-smi -lms` child, run by a thread of its own; its lines come through a pipe.
class LongChild {
 public:
  LongChild(const std::string& query, double interval_s) {
    std::array<int, 2> ends{};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0) throw system_error("cannot create a pipe", errno);
    out_ = UniqueFd(ends[0]);
    ::fcntl(out_.get(), F_SETFL, O_NONBLOCK);
    const auto every_ms = std::to_string(std::lround(interval_s * share_of_interval * 1e3));
    process::Command command;
    command.argv = {"nvidia-smi", query, "--format=csv", "-lms", every_ms};
    command.environment = {{"LC_ALL", "C"}};
    command.out = process::Stream::to_descriptor(ends[1]);
    command.err_to_out = true;
    thread_ = start_thread([command, end = UniqueFd(ends[1]), token = stop_.token()] {
      process::Limits limits;
      limits.grace_s = 0.2;
      limits.kill_s = 2.0;
      limits.drain_s = 0.1;
      try {
        run_tool(command, limits, token);
      } catch (const std::exception&) {  // the pipe closes without a row, which says it
      }
    });
  }
  ~LongChild() {
    stop_.request(SIGTERM);
    thread_.join();
  }
  LongChild(const LongChild&) = delete;
  LongChild& operator=(const LongChild&) = delete;

  /// Appends what has come, as far as there is room; false once the child has closed its end.
  bool drain(std::string& text) const {
    std::array<char, 1 << 14> buffer;
    while (text.size() < most_unread) {
      const auto got = ::read(out_.get(), buffer.data(), buffer.size());
      if (got > 0)
        text.append(buffer.data(), static_cast<std::size_t>(got));
      else if (got == 0)
        return false;
      else if (errno != EINTR)
        return true;
    }
    return true;
  }
  void wait_s(double seconds) const {
    struct pollfd poll {
      out_.get(), POLLIN, 0
    };
    ::poll(&poll, 1, static_cast<int>(seconds * 1e3));
  }

 private:
  UniqueFd out_;
  process::StopRequest stop_;
  std::thread thread_;
};

/// Readings from a long child, for intervals at which a call a reading (31 ms on an H200) would be
/// most of the work. Every reading takes the newest row of each card.
class LongSampler : public Sampler {
 public:
  LongSampler(const Surroundings& surroundings, std::span<const Device> devices)
      : surroundings_(surroundings), first_(surroundings, devices), reading_(devices) {}

  SampleSet read() override {
    if (!child_) return start();
    const double until = steady_s() + surroundings_.tool_deadline_s;
    SmiTable newest;
    for (;;) {
      const bool alive = child_->drain(text_);
      const double now = steady_s();
      const bool had_rows = !newest.rows.empty();
      take_lines(newest);
      // The rows of one round come together; a card that is missing is waited for a moment only.
      if (newest.rows.size() >= cards_ || had_rows) return reading_.samples(newest);
      if (!alive || now > until || text_.size() >= most_unread || surroundings_.stop.requested())
        give_up(alive);
      child_->wait_s(0.05);
    }
  }
  std::string name() const override { return "smi"; }

 private:
  /// The first reading is a plain call: it finds the query this driver knows, and its errors.
  SampleSet start() {
    auto set = first_.read();
    cards_ = first_.cards();
    text_.clear();
    header_.clear();
    child_.emplace(first_.query(), surroundings_.interval_s);
    return set;
  }

  [[noreturn]] void give_up(bool alive) {
    child_.reset();
    const auto said = first_line(text_);
    throw environment_error("cuda: the long-running nvidia-smi " +
                            std::string(text_.size() >= most_unread ? "floods"
                                        : alive                     ? "stopped answering"
                                                                    : "ended") +
                            (said.empty() ? "" : "; it said " + in_quotes(said)));
  }

  /// Takes the whole lines out of the text; of each card the last row stays in `newest`.
  void take_lines(SmiTable& newest) {
    const auto end = text_.rfind('\n');
    if (end == std::string::npos) return;
    auto table = parse_smi_csv(header_ + text_.substr(0, end + 1));
    if (header_.empty() && !table.columns.empty()) header_ = join(table.columns, ",") + "\n";
    if (!table.rows.empty()) text_.erase(0, end + 1);
    newest.columns = table.columns;
    newest.diagnostics = std::move(table.diagnostics);
    const auto found = std::find(table.columns.begin(), table.columns.end(), "index");
    const auto index = static_cast<std::size_t>(found - table.columns.begin());
    for (auto& row : table.rows) {
      const auto same = std::find_if(newest.rows.begin(), newest.rows.end(),
                                     [&](const auto& other) { return other[index] == row[index]; });
      if (same != newest.rows.end())
        *same = std::move(row);
      else
        newest.rows.push_back(std::move(row));
    }
  }

  Surroundings surroundings_;
  CallSampler first_;
  SmiReading reading_;
  std::optional<LongChild> child_;
  std::string text_, header_;
  std::size_t cards_ = 0;  ///< rows of one round
};

constexpr double short_interval_s = 1.0;

}  // namespace

std::unique_ptr<Sampler> make_smi_sampler(const Surroundings& surroundings,
                                          std::span<const Device> devices) {
  if (surroundings.interval_s > 0 && surroundings.interval_s < short_interval_s)
    return std::make_unique<LongSampler>(surroundings, devices);
  return std::make_unique<CallSampler>(surroundings, devices);
}

}  // namespace zl::backends
