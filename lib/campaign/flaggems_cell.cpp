#include "campaign/flaggems_cell.hpp"

#include <boost/json.hpp>

#include "base/files.hpp"
#include "base/text.hpp"
#include "campaign/flaggems_nodes.hpp"
#include "campaign/flaggems_options.hpp"
#include "campaign/tuner_record.hpp"
#include "formats/json.hpp"

namespace zl::campaign {

namespace fs = std::filesystem;
namespace json = boost::json;

namespace {

const char* verdict_name(backends::CaptureVerdict verdict) {
  switch (verdict) {
    case backends::CaptureVerdict::refused:
      return "refused";
    case backends::CaptureVerdict::poisoned:
      return "poisoned";
    case backends::CaptureVerdict::fatal:
      break;
  }
  return "fatal";
}

/// The timer that the plugins are told: `own` leaves the benchmark's clock alone.
std::string planned_timer(const std::string& timer) {
  return timer == "graph" || timer == "direct" ? timer : "own";
}

json::array texts(const std::vector<std::string>& values) {
  json::array array;
  for (const auto& value : values) array.emplace_back(value);
  return array;
}

json::object graph_plan(const backends::Traits& traits) {
  json::array wordings;
  for (const auto& wording : traits.capture_wordings)
    wordings.push_back(
        json::object{{"text", wording.text}, {"verdict", verdict_name(wording.verdict)}});
  return {{"class", traits.graph_class},
          {"wordings", std::move(wordings)},
          {"never", texts(traits.never_captured)}};
}

json::object cell_plan(const FlagGemsOptions& options, const CellRequest& request,
                       const std::string& op_key, const std::string& timer) {
  const auto& traits = request.backend->traits;
  json::array guards;
  for (const auto& guard : traits.lifted_guards)
    guards.push_back(json::object{{"file", guard.file}, {"reason", guard.reason}});
  // A part of a card has a UUID that the vendor's runtime may not tell.
  const bool part = request.device.index.find(':') != std::string::npos;
  return {{"op", op_key},
          {"report", (request.folder / cell_report_file).native()},
          {"vendor", traits.flaggems_vendor},
          {"torch_device", traits.torch_device},
          {"device", json::object{{"uuid", part ? "" : request.device.uuid}}},
          {"timer", planned_timer(timer)},
          {"own_timer", timer == "graph" ? "direct" : timer},
          {"direct_repeat", options.direct_repeat},
          {"level", options.level},
          {"graph", graph_plan(traits)},
          {"lifted_guards", std::move(guards)},
          {"replay_autotune", (flaggems_record(options, request) / autotune_folder).native()},
          {"shapes",
           json::object{{"mode", options.shape_mode}, {"file", options.shape_file.native()}}}};
}

void set_caches(const FlagGemsOptions& options, const CellRequest& request,
                process::Command& command) {
  const auto paths = flaggems_paths(options, request);
  const bool recording = tuner_role(options, request) == TunerRole::record;
  auto& environment = command.environment;
  environment["TRITON_CACHE_DIR"] = (recording ? paths.tuning_cache : paths.triton_cache).native();
  if (!paths.flaggems_cache.empty()) {
    environment["FLAGGEMS_CACHE_DIR"] = paths.flaggems_cache.native();
    environment["FLAGGEMS_DB_URL"] = std::nullopt;  // it would win over the folder
  }
  if (options.autotune != Autotune::off) {
    environment["TRITON_PRINT_AUTOTUNING"] = "1";  // tells a fresh tuning from a replayed one
    environment["TRITON_CACHE_AUTOTUNING"] = "1";
  }
}

std::vector<std::string> arguments(const FlagGemsOptions& options, const std::string& node) {
  std::vector<std::string> words = {node, "--level", options.level, "--mode", options.mode};
  const auto add = [&](const char* name, const std::string& value) {
    words.emplace_back(name);
    words.push_back(value);
  };
  if (options.warmup_ms) add("--warmup", std::to_string(*options.warmup_ms));
  if (options.iter_ms) add("--iter", std::to_string(*options.iter_ms));
  for (const auto& dtype : options.dtypes) add("--dtypes", dtype);
  if (options.shape_mode == "file") add("--shape_file", options.shape_file.native());
  return words;
}

}  // namespace

TunerRole tuner_role(const FlagGemsOptions& options, const CellRequest& request) {
  switch (options.autotune) {
    case Autotune::record:
      return TunerRole::record;
    case Autotune::replay:
      return TunerRole::replay;
    case Autotune::off:
      return TunerRole::none;
    case Autotune::automatic:
      break;
  }
  if (options.tuner_cache == TunerCache::inherited) return TunerRole::none;
  if (!options.replay_from.empty()) return TunerRole::replay;
  const bool first = request.cell == request.first_cell || request.cell.round == 0;
  return first ? TunerRole::record : TunerRole::replay;
}

FlagGemsPaths flaggems_paths(const FlagGemsOptions& options, const CellRequest& request) {
  const auto op = request.root / operator_component(request.cell.op) / "cache";
  const auto side = op / side_name(request.cell.side);
  FlagGemsPaths paths;
  if (options.tuner_cache == TunerCache::isolated) paths.flaggems_cache = side / "flaggems";
  if (options.tuner_cache == TunerCache::shared) paths.flaggems_cache = op / "shared" / "flaggems";
  paths.triton_cache = side / "triton";
  paths.tuning_cache = side / "triton-tuning";
  paths.recorded = op / "recorded";
  return paths;
}

fs::path flaggems_record(const FlagGemsOptions& options, const CellRequest& request) {
  return options.replay_from.empty() ? flaggems_paths(options, request).recorded
                                     : tuner_record_of(options.replay_from);
}

std::vector<std::string> plugin_list(const FlagGemsOptions& options, const backends::Traits& traits,
                                     bool replays) {
  std::vector<std::string> plugins;
  if (!traits.lifted_guards.empty()) plugins.push_back("zl_guards");
  plugins.insert(plugins.end(), {"zl_device", "zl_timing"});
  if (timer_of(options, traits) == "graph") plugins.push_back("zl_capture");
  if (options.shape_mode == "file") plugins.push_back("zl_shapes");
  if (replays) plugins.push_back("zl_autotune");
  plugins.insert(plugins.end(), {"zl_rows", "zl_foreign"});
  return plugins;
}

std::string print_cell_plan(const FlagGemsOptions& options, const CellRequest& request,
                            const std::string& op_key) {
  const auto timer = timer_of(options, request.backend->traits);
  return formats::print_json(cell_plan(options, request, op_key, timer), true);
}

process::Command flaggems_command(const FlagGemsOptions& options, const CellRequest& request,
                                  const std::string& node,
                                  const process::Environment& environment) {
  process::Command command;
  command.argv = {options.python, "-m", "pytest", "-s", "-rs", "-p", "no:cacheprovider"};
  const bool replays = tuner_role(options, request) == TunerRole::replay;
  for (const auto& plugin : plugin_list(options, request.backend->traits, replays))
    command.argv.insert(command.argv.end(), {"-p", plugin});
  const auto words = arguments(options, node);
  command.argv.insert(command.argv.end(), words.begin(), words.end());
  command.folder = options.dir.native();
  auto& set = command.environment;
  set["PYTHONPATH"] = python_path(options, environment, options.plugin_folder.native());
  set["PYTHONUNBUFFERED"] = "1";
  set["PYTHONDONTWRITEBYTECODE"] = "1";
  set["PYTEST_ADDOPTS"] = std::nullopt;
  set["ZL_PLAN"] = (request.folder / cell_plan_file).native();
  set["FLAGGEMS_PERF_CURRENT_OP"] = current_op_key(node);
  set["USE_FLAGTUNE"] = options.use_flagtune;
  // Each of these moves the compile cache elsewhere or keeps the generated code out of it.
  for (const char* name :
       {"TRITON_CACHE_MANAGER", "TRITON_REMOTE_CACHE_BACKEND", "TRITON_STORE_BINARY_ONLY"})
    set[name] = std::nullopt;
  set_caches(options, request, command);
  for (const auto& [name, value] : request.pinned) set[name] = value;
  if (!request.switch_name.empty()) set[request.switch_name] = request.value;
  return command;
}

process::Command compile_command(const FlagGemsOptions& options, const CellRequest& request,
                                 const process::Command& measured) {
  auto command = measured;
  auto& words = command.argv;
  for (const char* name : {"--warmup", "--iter"}) {
    const auto found = std::find(words.begin(), words.end(), name);
    if (found != words.end()) words.erase(found, found + 2);
    words.insert(words.end(), {name, "1"});
  }
  command.environment["ZL_PLAN"] = (request.folder / compile_plan_file).native();
  command.environment["TRITON_CACHE_DIR"] = flaggems_paths(options, request).triton_cache.native();
  return command;
}

formats::RunIdentity flaggems_identity(const FlagGemsOptions& options, const CellRequest& request,
                                       const std::string& node,
                                       const process::Environment& environment) {
  formats::RunIdentity identity;
  identity.test_node = node;
  identity.timer = timer_of(options, request.backend->traits);
  identity.bench_level = options.level;
  identity.shape_mode = options.shape_mode;
  identity.tuner_cache = tuner_cache_name(options.tuner_cache);
  const auto role = tuner_role(options, request);
  identity.autotune_mode = role == TunerRole::record   ? "record"
                           : role == TunerRole::replay ? "replay"
                                                       : "off";
  if (role == TunerRole::replay)
    identity.replay_from = options.replay_from.empty()
                               ? cell_folder("", request.first_cell).native()
                               : options.replay_from.native();
  identity.direct_repeat = options.direct_repeat;
  auto& parameters = identity.parameters;
  parameters["mode"] = options.mode;
  parameters["l2_cache"] = identity.timer == "direct"  ? "flushed before each call"
                           : identity.timer == "graph" ? "warm"
                                                       : "as the benchmark leaves it";
  parameters["use_flagtune"] = options.use_flagtune;
  if (options.warmup_ms) parameters["warmup_ms"] = std::to_string(*options.warmup_ms);
  if (options.iter_ms) parameters["iter_ms"] = std::to_string(*options.iter_ms);
  if (!options.dtypes.empty()) parameters["dtypes"] = join(options.dtypes, ",");
  // What steers the compiler or the tuner beside the switch.
  const auto& prefix = request.backend->traits.switch_prefix;
  for (const auto& [name, value] : environment) {
    const bool steers = (!prefix.empty() && name.starts_with(prefix)) ||
                        name.starts_with("FLAGTUNE_") || name.starts_with("TRITON_");
    if (steers && name != request.switch_name) parameters["env " + name] = value;
  }
  return identity;
}

}  // namespace zl::campaign
