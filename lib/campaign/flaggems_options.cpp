// Names of the FlagGems options, and which combinations make sense.
#include "campaign/flaggems_options.hpp"

#include <set>

#include "base/error.hpp"
#include "base/text.hpp"

namespace zl::campaign {

namespace {

template <typename Value>
struct Name {
  const char* name;
  Value value;
};

constexpr Name<TunerCache> tuner_caches[] = {{"isolated", TunerCache::isolated},
                                             {"shared", TunerCache::shared},
                                             {"inherited", TunerCache::inherited}};
constexpr Name<Autotune> autotunes[] = {{"auto", Autotune::automatic},
                                        {"record", Autotune::record},
                                        {"replay", Autotune::replay},
                                        {"off", Autotune::off}};
constexpr Name<FlagGemsTimer> timers[] = {{"auto", FlagGemsTimer::automatic},
                                          {"graph", FlagGemsTimer::graph},
                                          {"direct", FlagGemsTimer::direct}};

template <typename Names>
auto value_of(const Names& names, const char* option, const std::string& wanted) {
  std::vector<std::string> known;
  for (const auto& entry : names) {
    if (wanted == entry.name) return entry.value;
    known.push_back(entry.name);
  }
  throw usage_error(std::string(option) + ": expected " + join(known, ", ") + ", got " +
                    in_quotes(wanted));
}

template <typename Names, typename Value>
const char* name_of(const Names& names, Value value) {
  for (const auto& entry : names)
    if (entry.value == value) return entry.name;
  return "";
}

void expect_one_of(const char* option, const std::string& value,
                   const std::vector<std::string>& known) {
  for (const auto& word : known)
    if (word == value) return;
  throw usage_error(std::string(option) + ": expected " + join(known, ", ") + ", got " +
                    in_quotes(value));
}

void check_tuner(const FlagGemsOptions& options) {
  const bool replays = options.autotune == Autotune::replay || !options.replay_from.empty();
  if (options.autotune == Autotune::replay && options.replay_from.empty())
    throw usage_error("--autotune replay needs --replay-from RUN");
  if (!options.replay_from.empty() && options.autotune != Autotune::replay &&
      options.autotune != Autotune::automatic)
    throw usage_error(std::string("--replay-from has no use with --autotune ") +
                      autotune_name(options.autotune));
  if (options.tuner_cache == TunerCache::inherited &&
      (replays || options.autotune == Autotune::record))
    throw usage_error(
        "--tuner-cache inherited is the user's own cache: nothing is recorded from it or replayed "
        "into it; use isolated or shared");
}

}  // namespace

const char* tuner_cache_name(TunerCache mode) {
  return name_of(tuner_caches, mode);
}
const char* autotune_name(Autotune mode) {
  return name_of(autotunes, mode);
}
TunerCache tuner_cache_from(const std::string& name) {
  return value_of(tuner_caches, "--tuner-cache", name);
}
Autotune autotune_from(const std::string& name) {
  return value_of(autotunes, "--autotune", name);
}
FlagGemsTimer flaggems_timer_from(const std::string& name) {
  return value_of(timers, "--timer", name);
}

std::string timer_of(const FlagGemsOptions& options, const backends::Traits& traits) {
  if (options.mode == "operator" || options.mode == "wrapper") {
    if (options.timer == FlagGemsTimer::graph)
      throw usage_error("--timer graph: --mode " + options.mode + " times the host");
    return options.mode;
  }
  const bool graph = options.timer == FlagGemsTimer::automatic
                         ? traits.graph_capture
                         : options.timer == FlagGemsTimer::graph;
  if (graph && !traits.graph_capture)
    throw usage_error("--timer graph: backend " + traits.name + " cannot capture");
  if (options.mode == "cudagraph" && !graph)
    throw usage_error("--mode cudagraph captures; it has no direct timer");
  return graph ? "graph" : "direct";
}

void check_flaggems_options(const FlagGemsOptions& options, const backends::Backend& backend,
                            const process::Environment& environment) {
  expect_one_of("--level", options.level, {"core", "comprehensive"});
  expect_one_of("--mode", options.mode, {"kernel", "operator", "wrapper", "cudagraph"});
  expect_one_of("--shape-mode", options.shape_mode, {"upstream", "file"});
  expect_one_of("USE_FLAGTUNE", options.use_flagtune, {"0", "1"});
  if (!options.shape_file.empty() && options.shape_mode != "file")
    throw usage_error("--shape-file needs --shape-mode file");
  if (backend.traits.flaggems_vendor.empty())
    throw usage_error("FlagGems has no backend for " + backend.traits.name + " devices");
  timer_of(options, backend.traits);
  check_tuner(options);
  const auto override_set = environment.find("TRITON_KERNEL_OVERRIDE");
  if (override_set != environment.end() && !override_set->second.empty() &&
      override_set->second != "0")
    throw usage_error(
        "TRITON_KERNEL_OVERRIDE is set: it replaces generated code silently; unset it");
}

}  // namespace zl::campaign
