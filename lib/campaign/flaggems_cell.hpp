#pragma once
// One cell of FlagGems as a command: where its caches lie, what its plan says, its identity. Pure:
// nothing here changes a file.

#include <string>
#include <vector>

#include "campaign/flaggems.hpp"

namespace zl::campaign {

/// How a cell treats its tuner.
enum class TunerRole { record, replay, none };

struct FlagGemsPaths {
  std::filesystem::path flaggems_cache;  ///< FLAGGEMS_CACHE_DIR; "" where it is inherited
  std::filesystem::path triton_cache;    ///< the side's, kept across its rounds
  std::filesystem::path tuning_cache;    ///< Triton's while recording, so that the candidates that
                                         ///< lost are not taken for code of the benchmark
  std::filesystem::path recorded;        ///< the operator's recorded configurations
};

TunerRole tuner_role(const FlagGemsOptions& options, const CellRequest& request);
FlagGemsPaths flaggems_paths(const FlagGemsOptions& options, const CellRequest& request);

/// Folder of the record that a replay starts from.
std::filesystem::path flaggems_record(const FlagGemsOptions& options, const CellRequest& request);

/// The plugins that a backend needs, in the order of `-p`: those that rewrite markers first.
std::vector<std::string> plugin_list(const FlagGemsOptions& options, const backends::Traits& traits,
                                     bool replays = false);

/// The JSON of ZL_PLAN.
std::string print_cell_plan(const FlagGemsOptions& options, const CellRequest& request,
                            const std::string& op_key);

/// `node`: as pytest takes it, parameters included.
process::Command flaggems_command(const FlagGemsOptions& options, const CellRequest& request,
                                  const std::string& node, const process::Environment& environment);

/// The command again, so short that it only compiles what `paths.triton_cache` lacks.
process::Command compile_command(const FlagGemsOptions& options, const CellRequest& request,
                                 const process::Command& measured);

formats::RunIdentity flaggems_identity(const FlagGemsOptions& options, const CellRequest& request,
                                       const std::string& node,
                                       const process::Environment& environment);

constexpr const char* cell_plan_file = "plan.json";
constexpr const char* cell_report_file = "report.jsonl";
constexpr const char* compile_plan_file = "compile.json";
constexpr const char* compile_log_file = "compile.log";

}  // namespace zl::campaign
