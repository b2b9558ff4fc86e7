#include "report/sources.hpp"

#include <algorithm>
#include <tuple>

#include "base/error.hpp"
#include "base/parallel.hpp"
#include "base/text.hpp"
#include "campaign/ops_status.hpp"
#include "formats/measured_rows.hpp"

namespace zl::report {

namespace fs = std::filesystem;
using campaign::Cell;
using campaign::Side;

namespace {

using CellKey = std::tuple<std::string, unsigned, Side>;

CellKey key_of(const Cell& cell) {
  return {cell.op, cell.round, cell.side};
}

std::string name_of(const Cell& cell) {
  return printable(cell.op) + " r" + std::to_string(cell.round) + " " + side_name(cell.side);
}

bool is_there(const fs::path& path) {
  std::error_code ec;
  return fs::exists(path, ec);
}

/// rows.tsv where there is one, else run.log.
std::vector<fs::path> files_of_cell(const fs::path& folder) {
  for (const char* name : {formats::measured_rows_file, campaign::run_log_file})
    if (is_there(folder / name)) return {folder / name};
  return {};
}

/// A run named by hand: a file, a cell's folder, or a folder of logs.
std::vector<fs::path> files_of_run(const fs::path& path) {
  std::error_code ec;
  if (!fs::is_directory(path, ec)) return {path};
  auto files = files_of_cell(path);
  if (!files.empty()) return files;
  for (fs::directory_iterator entry(path, ec), end; !ec && entry != end; entry.increment(ec)) {
    const auto& file = entry->path();
    const auto extension = file.extension();
    const bool is_log = extension == ".log" || extension == ".json" || extension == ".tsv";
    std::error_code ignored;
    if (is_log && entry->is_regular_file(ignored) && file.filename() != formats::run_identity_file)
      files.push_back(file);
  }
  std::sort(files.begin(), files.end());
  if (files.empty())
    throw input_error({path.native()},
                      "no rows.tsv, run.log, *.log, *.json or *.tsv in this folder");
  return files;
}

class RootReader {
 public:
  explicit RootReader(Sources& sources) : sources_(sources) {}

  void read(const fs::path& root) {
    std::map<CellKey, campaign::OpsStatus> ledger;
    const auto file = root / campaign::ops_status_file;
    const bool has_ledger = is_there(file);
    if (has_ledger)
      for (auto& row : campaign::read_ops_status(file)) {
        auto key = key_of(row.cell);
        ledger[std::move(key)] = std::move(row);
      }
    const auto folders = campaign::list_cells(root);
    std::vector<caliber::Run> runs(folders.size());
    parallel_for(folders.size(), default_threads(), [&] {
      return [&](std::size_t i) { runs[i] = caliber::read_run(folders[i].path); };
    });
    for (std::size_t i = 0; i < folders.size(); ++i) {
      const auto row = ledger.extract(key_of(folders[i].cell));
      add(folders[i], std::move(runs[i]), row.empty() ? nullptr : &row.mapped(), has_ledger);
    }
    // What is left in the ledger has no folder: cells that were never measured.
    for (const auto& [key, row] : ledger)
      if (row.cell.round > 0) judge(row);
  }

 private:
  /// Whether a cell's rows count; what does not is named.
  bool judge(const campaign::OpsStatus& row) {
    const auto& status = row.status;
    const bool about_code =
        status == campaign::status::no_ir_diff || status == campaign::status::not_effective;
    if (about_code) sources_.op_notes[row.cell.op].insert(status);
    if (status == campaign::status::ok) return true;
    if (status == campaign::status::replay_miss) sources_.op_notes[row.cell.op].insert(status);
    if (!about_code)
      sources_.excluded.add("cell " + status,
                            name_of(row.cell) + (row.note.empty() ? "" : ": " + row.note));
    return false;
  }

  void add(const campaign::CellFolder& folder, caliber::Run run, const campaign::OpsStatus* row,
           bool has_ledger) {
    if (row != nullptr ? !judge(*row)
                       : has_ledger && !(run.identity && run.identity->exit_code == 0)) {
      if (row == nullptr) sources_.excluded.add("cell without a status", folder.path.native());
      return;
    }
    if (!seen_.insert(key_of(folder.cell)).second)
      return sources_.excluded.add("cell that another root holds too", folder.path.native());
    Source source{folder.cell,
                  std::move(run),
                  files_of_cell(folder.path),
                  folder.path / campaign::telemetry_file,
                  campaign::status::ok,
                  "",
                  ""};
    if (row != nullptr) source.note = row->note, source.timer = row->timer;
    if (source.files.empty())
      return sources_.excluded.add("cell without rows.tsv and run.log", folder.path.native());
    sources_.cells.push_back(std::move(source));
  }

  Sources& sources_;
  std::set<CellKey> seen_;
};

bool is_root(const std::string& path) {
  std::error_code ec;
  if (!fs::is_directory(path, ec)) return false;
  return is_there(fs::path(path) / campaign::campaign_file) ||
         is_there(fs::path(path) / campaign::ops_status_file) ||
         !campaign::list_cells(path).empty();
}

Sources by_hand(const std::vector<std::string>& operands) {
  Sources sources;
  sources.by_hand = true;
  for (const auto side : {Side::before, Side::after}) {
    const fs::path path = operands[side == Side::before ? 0 : 1];
    if (!is_there(path)) throw input_error({path.native()}, "no such file or folder");
    Source source;
    source.cell = {"", 1, side};
    source.run = caliber::read_run(path);
    source.files = files_of_run(path);
    std::error_code ec;
    source.telemetry =
        (fs::is_directory(path, ec) ? path : path.parent_path()) / campaign::telemetry_file;
    if (source.run.identity) source.timer = source.run.identity->timer;
    sources.cells.push_back(std::move(source));
  }
  return sources;
}

}  // namespace

Sources find_sources(const std::vector<std::string>& operands) {
  if (operands.empty()) throw usage_error("expected ROOT or BEFORE AFTER");
  const auto roots = std::count_if(operands.begin(), operands.end(), is_root);
  if (roots == 0 && operands.size() == 2) return by_hand(operands);
  for (const auto& operand : operands) {
    if (is_root(operand)) continue;
    if (!is_there(operand)) throw input_error({operand}, "no such file or folder");
    throw usage_error(in_quotes(operand) +
                      " is no campaign's root; expected ROOT… or BEFORE AFTER");
  }
  Sources sources;
  sources.roots = operands;
  RootReader reader(sources);
  for (const auto& root : operands) reader.read(root);
  std::stable_sort(
      sources.cells.begin(), sources.cells.end(),
      [](const Source& a, const Source& b) { return key_of(a.cell) < key_of(b.cell); });
  return sources;
}

caliber::Check check_sources(const Sources& sources, const caliber::Rules& rules) {
  std::vector<caliber::CellRun> cells;
  cells.reserve(sources.cells.size());
  for (const auto& source : sources.cells) cells.push_back({source.cell, source.run});
  return check_cells(cells, rules);
}

}  // namespace zl::report
