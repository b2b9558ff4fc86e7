#pragma once
// The provider for FlagGems' benchmark (benchmark/test_<op>.py under pytest): what may be asked
// of it, and the list of its operators. Policy is decided here and in the backend; the plugins
// of lib/pytest carry it out inside the benchmark's process.

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "backends/backend.hpp"
#include "campaign/provider.hpp"

namespace zl::campaign {

enum class TunerCache {
  isolated,   ///< a FLAGGEMS_CACHE_DIR for each side: ROOT/<op>/cache/<side>/flaggems
  shared,     ///< both sides of an operator use ROOT/<op>/cache/shared/flaggems
  inherited,  ///< whatever the user's environment says (~/.flaggems)
};
enum class Autotune {
  automatic,  ///< the operator's first cell that succeeds records, all later ones replay it
  record,     ///< tuning is free and kept
  replay,     ///< starts from `replay_from`; anything tuned anew is REPLAY_MISS
  off,        ///< nothing is copied and nothing compared
};
enum class FlagGemsTimer {
  automatic,  ///< graph where the backend can capture, else direct
  graph,      ///< usage error where the backend cannot capture
  direct,     ///< triton.testing.do_bench
};

/// Names as options, environment and identity spell them. The inverses throw Error(usage)
/// listing the known names.
const char* tuner_cache_name(TunerCache mode);
const char* autotune_name(Autotune mode);
TunerCache tuner_cache_from(const std::string& name);
Autotune autotune_from(const std::string& name);             ///< auto, record, replay, off
FlagGemsTimer flaggems_timer_from(const std::string& name);  ///< auto, graph, direct

struct FlagGemsOptions {
  std::filesystem::path dir;             ///< FlagGems' checkout: benchmark/ and src/
  std::string python = "python3";        ///< interpreter, looked up on PATH
  std::vector<std::string> python_path;  ///< put before PYTHONPATH (SQLAlchemy, a Triton build)
  std::string level = "core";            ///< BENCH_LEVEL: core or comprehensive
  std::string mode = "kernel";           ///< kernel, operator, wrapper or cudagraph
  std::vector<std::string> dtypes;       ///< float32, …; empty: the benchmark's own
  std::optional<unsigned> warmup_ms, iter_ms;  ///< FlagGems' --warmup and --iter
  std::string shape_mode = "upstream";         ///< SHAPE_MODE: file or upstream
  std::filesystem::path shape_file;            ///< shape_mode file; "": FlagGems' core_shapes.yaml
  FlagGemsTimer timer = FlagGemsTimer::automatic;  ///< direct by ZL_ENABLE_CUDAGRAPH=0
  unsigned direct_repeat = 1;                      ///< ZL_DIRECT_REPEAT
  TunerCache tuner_cache = TunerCache::isolated;
  Autotune autotune = Autotune::automatic;
  std::filesystem::path replay_from;    ///< a cell's folder, or one that holds config_cache/
  std::string test_node;                ///< TEST_NODE: one node for every operator asked for
  std::string use_flagtune = "0";       ///< USE_FLAGTUNE of the benchmark's process, 0 or 1
  std::filesystem::path cache_folder;   ///< of collected nodes; "": $XDG_CACHE_HOME/zl/flaggems
  std::filesystem::path plugin_folder;  ///< ""; ZL_PYTEST_DIR, else beside the program
  bool collect = true;                  ///< false: nodes are read from the sources (--dry-run)
};

/// One test function of the benchmark.
struct FlagGemsNode {
  std::string op;        ///< its first mark that is not pytest's own; "" for none
  std::string file;      ///< benchmark/test_bernoulli.py
  std::string function;  ///< test_bernoulli_inplace
  std::string node() const { return file + "::" + function; }
};

/// All operators and nodes, sorted by file and place in it, without importing torch: what was
/// collected from these very sources before, else what the sources say (lib/pytest/zl_nodes.py;
/// a test and tests/bench/flaggems_gpu show that both agree). Throws Error(environment) when
/// `dir` is no FlagGems checkout or the interpreter is missing.
std::vector<FlagGemsNode> list_flaggems_nodes(const FlagGemsOptions& options);

/// Validates the options, finds the plugins and collects the nodes (cached by the content of
/// FlagGems' benchmark folder), so that preparing a cell is pure. `environment` is what the
/// program was started with. Throws Error(usage) for options that cannot be honoured (and for
/// TRITON_KERNEL_OVERRIDE, which replaces code silently), Error(environment) when FlagGems, the
/// interpreter or the plugins are missing or collection fails.
std::unique_ptr<Provider> make_flaggems_provider(FlagGemsOptions options,
                                                 const backends::Backend& backend,
                                                 const process::Environment& environment,
                                                 const process::StopToken& stop = {});

/// The node of an operator: by its mark, by a function's name (with or without `test_`), or by
/// the node itself. Throws Error(usage): naming the functions where a mark stands on several,
/// near names where nothing matches.
FlagGemsNode resolve_flaggems_node(const std::vector<FlagGemsNode>& nodes, const std::string& op);

}  // namespace zl::campaign
