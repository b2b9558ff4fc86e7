#pragma once
// Where things stand in a campaign's root: ROOT/<op>/r<round>/<before|after>/. Round 0 holds
// warm-up cells, which nothing counts. Operator names are path components (base/files.hpp).

#include <filesystem>
#include <string>
#include <vector>

namespace zl::campaign {

enum class Side { before, after };
const char* side_name(Side side);

struct Cell {
  std::string op;
  unsigned round = 0;
  Side side = Side::before;
};
bool operator==(const Cell& a, const Cell& b);

/// ROOT/<op>/r<round>/<side>
std::filesystem::path cell_folder(const std::filesystem::path& root, const Cell& cell);

struct CellFolder {
  Cell cell;
  std::filesystem::path path;
};

/// All cells of a root, sorted by operator, round and side; warm-up cells left out unless asked
/// for. Folders that are no cells are passed over. Throws Error(environment) when the root cannot
/// be read.
std::vector<CellFolder> list_cells(const std::filesystem::path& root, bool with_warm_up = false);

/// Names inside a root and inside a cell.
constexpr const char* campaign_file = "campaign.json";
constexpr const char* ops_status_file = "ops_status.tsv";
constexpr const char* screen_file = "screen.tsv";
constexpr const char* run_log_file = "run.log";
constexpr const char* telemetry_file = "telemetry.tsv";
constexpr const char* telemetry_err_file = "telemetry.err";
constexpr const char* ir_folder = "ir";

}  // namespace zl::campaign
