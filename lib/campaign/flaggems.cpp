// The FlagGems provider: a cell is one pytest process for one node.
#include "campaign/flaggems.hpp"
#include "campaign/ended_cell.hpp"

#include <algorithm>
#include <map>

#include "base/error.hpp"
#include "base/files.hpp"
#include "base/sha256.hpp"
#include "base/text.hpp"
#include "base/time.hpp"
#include "campaign/flaggems_cell.hpp"
#include "campaign/flaggems_nodes.hpp"
#include "campaign/flaggems_options.hpp"
#include "campaign/flaggems_report.hpp"
#include "campaign/harvest.hpp"
#include "campaign/ops_status.hpp"
#include "campaign/tuner_record.hpp"

namespace zl::campaign {

namespace fs = std::filesystem;

namespace {

void add_note(CellResult& result, const std::string& note) {
  if (note.empty()) return;
  result.note += (result.note.empty() ? "" : ",") + note;
}

void fail(CellResult& result, const std::string& note) {
  if (result.status == status::ok) result.status = status::failed;
  add_note(result, note);
}

/// As the rows were really timed: one word, or all of them.
std::string timers_of(const std::vector<formats::MeasuredRow>& rows, const std::string& asked) {
  std::vector<std::string> timers;
  for (const auto& row : rows)
    if (!row.timer.empty() && std::find(timers.begin(), timers.end(), row.timer) == timers.end())
      timers.push_back(row.timer);
  return timers.empty() ? asked : join(timers, "+");
}

/// What is the matter with a run that did not end well, in the order of what explains it best.
void explain(const FlagGemsReport& report, const PytestLog& log, CellResult& result) {
  if (report.mismatch) return fail(result, "DEVICE_MISMATCH " + without_commas(*report.mismatch));
  if (report.poisoned)
    return fail(result, "BENCHMARK_CAPTURE_POISONED incompatible with capture: " +
                            without_commas(*report.poisoned));
  if (result.status == status::failed) {
    const auto reason = !report.error.empty()   ? report.error
                        : !log.failures.empty() ? log.failures.front()
                                                : "pytest failed; see run.log";
    return fail(result, without_commas(reason));
  }
  if (result.status != status::ok) return;
  if (report.rows.empty())
    return fail(result, log.skips.empty() ? "no row was measured"
                                          : "skipped: " + without_commas(log.skips.front()));
  const auto failed = std::find_if(report.rows.begin(), report.rows.end(),
                                   [](const auto& row) { return row.status != "SUCCESS"; });
  if (failed != report.rows.end()) fail(result, without_commas(report.error));
}

CellResult read_result(const CellRequest& request, const process::Outcome& outcome,
                       const std::string& asked_timer) {
  auto result = ended_cell(outcome);
  const auto log = read_pytest_log(request.folder / run_log_file);
  FlagGemsReport report;
  try {
    report = read_flaggems_report(request.folder / cell_report_file);
  } catch (const Error& error) {
    fail(result, error.what());
  }
  explain(report, log, result);
  if (report.fallbacks != 0)
    add_note(result, "BENCHMARK_DIRECT_NO_CUDAGRAPH rows=" + std::to_string(report.fallbacks));
  if (!report.foreign.empty())
    add_note(result, "FOREIGN_VENDOR_MODULE vendors=" + join(report.foreign, "+"));
  for (const auto& note : report.notes) add_note(result, note);
  result.rows = std::move(report.rows);
  result.libraries = std::move(report.libraries);
  result.timer = timers_of(result.rows, asked_timer);
  return result;
}

class FlagGemsProvider : public Provider {
 public:
  FlagGemsProvider(FlagGemsOptions options, process::Environment environment,
                   std::vector<FlagGemsNode> nodes)
      : options_(std::move(options)),
        environment_(std::move(environment)),
        nodes_(std::move(nodes)),
        benchmark_sha256_(benchmark_digest(options_.dir)) {
    const auto shapes = options_.shape_file.empty() ? options_.dir / "benchmark/core_shapes.yaml"
                                                    : options_.shape_file;
    if (const auto content = try_read_file(shapes)) shape_file_sha256_ = sha256_hex(*content);
  }

  std::string name() const override { return "flaggems"; }

  Prepared prepare(const CellRequest& request) const override {
    const auto node = node_of(request.cell.op);
    Prepared prepared;
    prepared.command = flaggems_command(options_, request, node, environment_);
    prepared.identity = flaggems_identity(options_, request, node, environment_);
    prepared.identity.shape_file_sha256 = shape_file_sha256_;
    prepared.identity.parameters["benchmark_sha256"] = benchmark_sha256_;
    return prepared;
  }

  CellResult run(const CellRequest& request, const Prepared& prepared,
                 const process::StopToken& stop) const override {
    const double start_s = steady_s();
    auto role = tuner_role(options_, request);
    const auto paths = flaggems_paths(options_, request);
    auto command = prepared.command;
    std::optional<std::string> changed_mode;
    if (role == TunerRole::replay && options_.replay_from.empty() &&
        !fs::exists(paths.recorded / config_cache_folder)) {
      role = TunerRole::record;  // the cell that was to record did not succeed
      changed_mode = "record";
      command.environment["TRITON_CACHE_DIR"] = paths.tuning_cache.native();
    }
    const auto recorded = flaggems_record(options_, request);
    TunerRecord before;
    if (role == TunerRole::replay) {
      restore_tuner_record(recorded, paths.flaggems_cache, paths.triton_cache);
      before = read_tuner_record(paths.flaggems_cache, paths.triton_cache);
    }
    if (role == TunerRole::record) fs::remove_all(paths.tuning_cache);
    replace_file(request.folder / cell_plan_file,
                 print_cell_plan(options_, request, current_op_key(prepared.identity.test_node)));
    const auto outcome = run_logged(request, command, run_log_file, start_s, stop);
    auto result = read_result(request, outcome, prepared.identity.timer);
    result.autotune_mode = changed_mode;
    if (result.status == status::interrupted) return result;
    if (role == TunerRole::replay) compare(request, paths, before, result);
    if (role == TunerRole::record && result.status == status::ok)
      record(request, paths, command, start_s, stop, result);
    if (result.status == status::ok && request.cell.round == 1)
      harvest_ir(paths.triton_cache, request.folder / ir_folder);
    return result;
  }

 private:
  std::string node_of(const std::string& op) const {
    return options_.test_node.empty() ? resolve_flaggems_node(nodes_, op).node()
                                      : options_.test_node;
  }

  process::Outcome run_logged(const CellRequest& request, process::Command command, const char* log,
                              double start_s, const process::StopToken& stop) const {
    command.out = process::Stream::file((request.folder / log).native());
    command.err_to_out = true;
    process::Limits limits;
    if (request.timeout_s)
      limits.deadline_s = std::max(0.001, *request.timeout_s - (steady_s() - start_s));
    return process::run(command, limits, stop);
  }

  /// A replay that tuned measured other code than what was recorded.
  static void compare(const CellRequest& request, const FlagGemsPaths& paths,
                      const TunerRecord& before, CellResult& result) {
    const auto after = read_tuner_record(paths.flaggems_cache, paths.triton_cache);
    const auto anew = tuned_anew(before, after);
    const auto log = read_pytest_log(request.folder / run_log_file);
    if (before.empty() && after.empty() && log.tuned.empty()) {
      result.autotune_mode = "";  // no tuner: not applicable
      return;
    }
    if (!anew.any() && log.tuned.empty()) return;
    auto tuned = log.tuned;
    std::sort(tuned.begin(), tuned.end());
    tuned.erase(std::unique(tuned.begin(), tuned.end()), tuned.end());
    if (result.status == status::ok) result.status = status::replay_miss;
    add_note(result, "REPLAY_MISS tuned anew: " +
                         without_commas(join({anew.text(), join(tuned, " ")}, " ")));
  }

  /// Keeps what was tuned, for the operator's other cells and for --replay-from.
  void record(const CellRequest& request, const FlagGemsPaths& paths,
              const process::Command& command, double start_s, const process::StopToken& stop,
              CellResult& result) const {
    const auto tuned = read_tuner_record(paths.flaggems_cache, paths.tuning_cache);
    const auto log = read_pytest_log(request.folder / run_log_file);
    keep_tuner_record(paths.flaggems_cache, paths.tuning_cache, request.folder / tuner_folder);
    if (options_.autotune == Autotune::automatic)
      keep_tuner_record(paths.flaggems_cache, paths.tuning_cache, paths.recorded);
    if (tuned.empty() && log.tuned.empty()) {
      result.autotune_mode = "";
      if (!fs::exists(paths.triton_cache) && fs::exists(paths.tuning_cache))
        fs::rename(paths.tuning_cache, paths.triton_cache);
      return;
    }
    // The candidates that lost were compiled as well; this leaves what the winners need, which is
    // what the other side, replaying, compiles.
    if (request.cell.round != 1) return;
    restore_tuner_record(request.folder / tuner_folder, paths.flaggems_cache, paths.triton_cache);
    auto plan = options_;
    plan.timer = options_.mode == "cudagraph" ? FlagGemsTimer::graph : FlagGemsTimer::direct;
    plan.direct_repeat = 1;
    auto scratch = request;
    scratch.folder /= "compile";
    make_folders(scratch.folder);
    replace_file(request.folder / compile_plan_file,
                 print_cell_plan(plan, scratch, current_op_key(node_of(request.cell.op))));
    const auto outcome = run_logged(request, compile_command(options_, request, command),
                                    compile_log_file, start_s, stop);
    fs::remove_all(scratch.folder);
    if (!outcome.ok()) add_note(result, "no code kept: the compiling run failed");
    if (!outcome.ok()) fs::remove_all(paths.triton_cache);
  }

  FlagGemsOptions options_;
  process::Environment environment_;
  std::vector<FlagGemsNode> nodes_;
  std::string benchmark_sha256_, shape_file_sha256_;
};

}  // namespace

std::unique_ptr<Provider> make_flaggems_provider(FlagGemsOptions options,
                                                 const backends::Backend& backend,
                                                 const process::Environment& environment,
                                                 const process::StopToken& stop) {
  check_flaggems_options(options, backend, environment);
  options.plugin_folder = find_plugins(options.plugin_folder, environment);
  options.dir = fs::absolute(options.dir).lexically_normal();
  if (!process::is_program(options.python))
    throw environment_error("--python: cannot find program " + in_quotes(options.python));
  benchmark_digest(options.dir);
  if (options.shape_mode == "file") {
    if (options.shape_file.empty()) options.shape_file = options.dir / "benchmark/core_shapes.yaml";
    options.shape_file = fs::absolute(options.shape_file);
    read_file(options.shape_file);  // says now that it cannot be read
  }
  if (!options.replay_from.empty()) {
    if (tuner_record_of(options.replay_from).empty())
      throw usage_error("--replay-from: no recorded tuner configurations in " +
                        in_quotes(options.replay_from.native()));
    options.replay_from = fs::absolute(options.replay_from).lexically_normal();
  }
  std::vector<FlagGemsNode> nodes;
  if (!options.test_node.empty()) {
    const auto node =
        find_test_node(nodes_from_sources(options, options.plugin_folder), options.test_node);
    const auto parameter = options.test_node.find('[');
    options.test_node =
        node.node() + (parameter == std::string::npos ? "" : options.test_node.substr(parameter));
  } else if (options.collect) {
    nodes = nodes_by_collection(options, options.plugin_folder, environment, stop);
  } else {
    nodes = list_flaggems_nodes(options);
  }
  return std::make_unique<FlagGemsProvider>(std::move(options), environment, std::move(nodes));
}

}  // namespace zl::campaign
