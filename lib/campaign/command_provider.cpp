#include "campaign/command_provider.hpp"

#include <fcntl.h>

#include <algorithm>
#include <cerrno>
#include <cmath>

#include "base/error.hpp"
#include "base/files.hpp"
#include "base/text.hpp"
#include "base/time.hpp"
#include "campaign/ended_cell.hpp"
#include "campaign/ops_status.hpp"
#include "formats/run_log.hpp"
#include "stats/descriptive.hpp"

namespace zl::campaign {

namespace {

std::string substitute(std::string_view word, const std::map<std::string, std::string>& values) {
  std::string result;
  while (!word.empty()) {
    const auto open = word.find('{');
    result += word.substr(0, open);
    if (open == std::string_view::npos) break;
    word.remove_prefix(open);
    const auto close = word.find('}');
    const auto found = close == std::string_view::npos
                           ? values.end()
                           : values.find(std::string(word.substr(1, close - 1)));
    // Braces that name nothing of ours are the program's own: awk '{print}'.
    const auto taken = found == values.end() ? std::size_t{1} : close + 1;
    result += found == values.end() ? word.substr(0, 1) : std::string_view(found->second);
    word.remove_prefix(taken);
  }
  return result;
}

/// Milliseconds to the nanosecond, which is all the clock tells.
double milliseconds(double seconds) {
  return std::round(seconds * 1e9) / 1e6;
}

struct Timings {
  std::vector<double> wall_ms, user_ms, system_ms, max_rss_kib;
};

class CommandProvider : public Provider {
 public:
  explicit CommandProvider(CommandOptions options) : options_(std::move(options)) {}

  std::string name() const override { return "command"; }

  Prepared prepare(const CellRequest& request) const override {
    Prepared prepared;
    const auto dtype = request.plan_fields.find("dtype");
    const std::map<std::string, std::string> values = {
        {"op", request.cell.op},
        {"dtype", dtype == request.plan_fields.end() ? "" : dtype->second},
        {"side", side_name(request.cell.side)},
        {"out", request.folder.native()}};
    for (const auto& word : options_.command)
      prepared.command.argv.push_back(substitute(word, values));
    if (prepared.command.argv.empty() || prepared.command.argv.front().empty())
      throw usage_error("--command: no program to run for operator " + in_quotes(request.cell.op));
    for (const auto& [name, value] : request.pinned) prepared.command.environment[name] = value;
    if (!request.switch_name.empty())
      prepared.command.environment[request.switch_name] = request.value;
    prepared.identity.timer = timer();
    prepared.identity.parameters = {{"command", process::shell_words(options_.command)}};
    if (!options_.rows_from_stdout) {
      prepared.identity.parameters["runs"] = std::to_string(options_.runs);
      prepared.identity.parameters["warmup"] = std::to_string(options_.warmup);
    }
    return prepared;
  }

  CellResult run(const CellRequest& request, const Prepared& prepared,
                 const process::StopToken& stop) const override {
    const double start_s = steady_s();
    auto command = prepared.command;
    UniqueFd log(::open((request.folder / run_log_file).c_str(),
                        O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0666));
    if (!log)
      throw system_error("cannot write " + in_quotes((request.folder / run_log_file).native()),
                         errno);
    command.out = process::Stream::to_descriptor(log.get());
    command.err_to_out = !options_.rows_from_stdout;
    if (options_.rows_from_stdout)
      command.err = process::Stream::file((request.folder / "run.err").native());
    const auto run_once = [&] {
      process::Limits limits;
      if (request.timeout_s)
        limits.deadline_s = std::max(0.001, *request.timeout_s - (steady_s() - start_s));
      return process::run(command, limits, stop);
    };
    return options_.rows_from_stdout ? self_timed(request, run_once()) : timed(request, run_once);
  }

 private:
  std::string timer() const { return options_.rows_from_stdout ? "program" : "process"; }

  CellResult ended(const process::Outcome& outcome) const {
    auto result = ended_cell(outcome);
    result.timer = timer();
    return result;
  }

  template <typename RunOnce>
  CellResult timed(const CellRequest& request, const RunOnce& run_once) const {
    Timings timings;
    CellResult result;
    for (unsigned i = 0; i < options_.warmup + options_.runs; ++i) {
      const auto outcome = run_once();
      result = ended(outcome);
      if (result.status != status::ok) return result;
      if (i < options_.warmup) continue;
      timings.wall_ms.push_back(milliseconds(outcome.wall_s));
      timings.user_ms.push_back(milliseconds(outcome.user_s));
      timings.system_ms.push_back(milliseconds(outcome.system_s));
      timings.max_rss_kib.push_back(static_cast<double>(outcome.max_rss_kib));
    }
    formats::MeasuredRow row;
    row.op = request.cell.op;
    if (const auto dtype = request.plan_fields.find("dtype"); dtype != request.plan_fields.end())
      row.dtype = dtype->second;
    row.latency_ms = stats::median(timings.wall_ms);
    row.min_ms = *std::min_element(timings.wall_ms.begin(), timings.wall_ms.end());
    row.max_ms = *std::max_element(timings.wall_ms.begin(), timings.wall_ms.end());
    row.user_ms = stats::median(timings.user_ms);
    row.sys_ms = stats::median(timings.system_ms);
    row.max_rss_kib = stats::median(timings.max_rss_kib);
    row.runs = static_cast<double>(timings.wall_ms.size());
    row.timer = timer();
    result.rows.push_back(std::move(row));
    return result;
  }

  CellResult self_timed(const CellRequest& request, const process::Outcome& outcome) const;

  CommandOptions options_;
};

CellResult CommandProvider::self_timed(const CellRequest& request,
                                       const process::Outcome& outcome) const {
  auto result = ended(outcome);
  // Rows that a failed program printed before it failed are kept; its status says they are few.
  formats::Diagnostics diagnostics;
  try {
    result.rows = formats::read_run_log(request.folder / run_log_file, diagnostics);
  } catch (const Error& error) {
    result.note = error.what();
    if (result.status == status::ok) result.status = status::failed;
  }
  for (const auto& [reason, lines] : diagnostics.dropped)
    result.note +=
        (result.note.empty() ? "" : ",") + counted(lines.count, "line") + " dropped: " + reason;
  for (auto& row : result.rows) {
    if (row.op.empty()) row.op = request.cell.op;
    if (row.timer.empty()) row.timer = timer();
  }
  if (result.rows.empty() && result.status == status::ok) {
    result.status = status::failed;
    result.note = "no latency rows on standard output";
  }
  return result;
}

}  // namespace

std::unique_ptr<Provider> make_command_provider(CommandOptions options) {
  return std::make_unique<CommandProvider>(std::move(options));
}

}  // namespace zl::campaign
