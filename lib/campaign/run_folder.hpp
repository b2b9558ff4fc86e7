#pragma once
// Where things stand in a campaign's root: ROOT/<op>/r<round>/<before|after>/. Round 0 holds
// warm-up cells, which nothing counts. Operator names are path components (base/files.hpp).

#include <filesystem>
#include <string>
#include <string_view>
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

/// An operator's folder in a root; base/files.hpp's name_from_component gives the name back.
std::string operator_component(std::string_view op);
/// Longest folder name that leaves room for what is set beside it (NAME_MAX is 255).
constexpr std::size_t longest_component = 240;

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
constexpr const char* plan_file = "plan.tsv";
constexpr const char* campaign_file = "campaign.json";
constexpr const char* ops_status_file = "ops_status.tsv";
constexpr const char* screen_file = "screen.tsv";
constexpr const char* run_log_file = "run.log";
constexpr const char* telemetry_file = "telemetry.tsv";
constexpr const char* telemetry_err_file = "telemetry.err";
constexpr const char* ir_folder = "ir";

}  // namespace zl::campaign
