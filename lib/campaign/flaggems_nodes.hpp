#pragma once
// Which test functions FlagGems' benchmark has, and where the plugins lie that read and run them.

#include <filesystem>
#include <string>
#include <vector>

#include "campaign/flaggems.hpp"

namespace zl::campaign {

/// The folder of lib/pytest's files: `wanted`, else ZL_PYTEST_DIR, else ../share/zl/pytest beside
/// the program. Throws Error(environment) where it lacks them.
std::filesystem::path find_plugins(const std::filesystem::path& wanted,
                                   const process::Environment& environment);

/// SHA-256 over names and contents of what a collection depends on: benchmark/**.py, pytest.ini.
/// Throws Error(environment) when `dir` is no FlagGems checkout.
std::string benchmark_digest(const std::filesystem::path& dir);

/// Nodes as the sources say, by zl_nodes.py; imports nothing of FlagGems.
std::vector<FlagGemsNode> nodes_from_sources(const FlagGemsOptions& options,
                                             const std::filesystem::path& plugins);

/// Nodes as FlagGems' --collect-marks says, from the cache where these very sources were collected
/// before. Throws Error(environment) with the end of pytest's output where it leaves no list.
std::vector<FlagGemsNode> nodes_by_collection(const FlagGemsOptions& options,
                                              const std::filesystem::path& plugins,
                                              const process::Environment& environment,
                                              const process::StopToken& stop);

/// The cached list; empty where there is none.
std::vector<FlagGemsNode> nodes_from_cache(const FlagGemsOptions& options,
                                           const process::Environment& environment);

/// The node called `wanted` (`benchmark/` and a `[parameter]` may be there or not). Throws
/// Error(usage) with near names.
FlagGemsNode find_test_node(const std::vector<FlagGemsNode>& nodes, const std::string& wanted);

/// FLAGGEMS_PERF_CURRENT_OP of a test function: its name less `test_`, without class.
std::string current_op_key(const std::string& function);

/// PYTHONPATH of the benchmark's process: `first`, then the options', then what was there.
std::string python_path(const FlagGemsOptions& options, const process::Environment& environment,
                        const std::string& first = "");

}  // namespace zl::campaign
