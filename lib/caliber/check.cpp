#include "caliber/check.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "base/files.hpp"
#include "base/parallel.hpp"
#include "base/text.hpp"

namespace zl::caliber {

namespace fs = std::filesystem;

namespace {

/// A file that says nothing of its backend says nothing of its conditions.
formats::RunIdentity known(formats::RunIdentity identity, const std::string& name) {
  if (identity.backend.empty()) throw input_error({name}, "/backend: missing");
  return identity;
}

formats::RunIdentity identity_of(const fs::path& path) {
  std::error_code ec;
  if (!fs::exists(path, ec)) throw input_error({path.native()}, "no such file or folder");
  if (fs::is_directory(path, ec)) return known(formats::read_run_identity(path), path.native());
  if (path.filename() == formats::run_identity_file)
    return known(formats::parse_run_identity(read_file(path), path.native()), path.native());
  // A log: its identity lies beside it.
  const auto folder = path.has_parent_path() ? path.parent_path() : fs::path(".");
  return known(formats::read_run_identity(folder), folder.native());
}

}  // namespace

Run read_run(const fs::path& folder_or_file) {
  Run run;
  run.name = folder_or_file.native();
  try {
    run.identity = identity_of(folder_or_file);
  } catch (const Error& error) {
    run.problem = error.what();
  }
  return run;
}

std::vector<AxisRow> compare_runs(const Run& before, const Run& after, const Rules& rules) {
  if (before.identity && after.identity) return compare(*before.identity, *after.identity, rules);
  const auto state = [](const Run& run) {
    return run.identity ? std::string("known") : run.problem;
  };
  return {{"identity", state(before), state(after), verdict::differs}};
}

bool Check::comparable() const {
  return std::none_of(findings.begin(), findings.end(),
                      [](const Finding& finding) { return finding.row.mismatch(); });
}

namespace {

void add_findings(const Run& before, const Run& after, std::vector<AxisRow> rows, Check& check) {
  for (auto& row : rows)
    if (!row.usual()) check.findings.push_back({before.name, after.name, std::move(row)});
}

}  // namespace

Check check_cells(const std::vector<CellRun>& cells, const Rules& rules) {
  Check check;
  const CellRun* first[2] = {nullptr, nullptr};  // of this operator, by side
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const auto& [cell, run] = cells[i];
    if (i > 0 && cells[i - 1].cell.op != cell.op) first[0] = first[1] = nullptr;
    if (run.identity) ++check.hashes[short_hash(*run.identity)];
    auto& first_of_side = first[static_cast<int>(cell.side)];
    if (first_of_side == nullptr) {
      first_of_side = &cells[i];
    } else if (run.identity && first_of_side->run.identity) {
      add_findings(first_of_side->run, run,
                   compare_rounds(*first_of_side->run.identity, *run.identity, rules), check);
    }
    const bool is_pair = cell.side == campaign::Side::after && i > 0 &&
                         cells[i - 1].cell.op == cell.op && cells[i - 1].cell.round == cell.round;
    if (!is_pair) continue;
    ++check.pairs;
    add_findings(cells[i - 1].run, run, compare_runs(cells[i - 1].run, run, rules), check);
  }
  return check;
}

std::vector<CellRun> read_cells(const fs::path& root) {
  const auto folders = campaign::list_cells(root);
  if (folders.empty())
    throw input_error({root.native()}, "no cell <op>/r<round>/<before|after> in this folder");
  std::vector<CellRun> cells(folders.size());
  parallel_for(folders.size(), default_threads(), [&] {
    return [&](std::size_t i) { cells[i] = {folders[i].cell, read_run(folders[i].path)}; };
  });
  return cells;
}

std::vector<std::string> describe(const std::vector<Finding>& findings, bool mismatches) {
  std::vector<std::pair<const Finding*, std::size_t>> distinct;
  std::map<std::vector<std::string>, std::size_t> places;
  for (const auto& finding : findings) {
    if (finding.row.usual() || finding.row.mismatch() != mismatches) continue;
    const auto& row = finding.row;
    // Runs that lack an identity differ in nothing but their name.
    const bool identity = row.axis == "identity";
    const std::vector<std::string> key = {row.axis, identity ? "" : row.before,
                                          identity ? "" : row.after, row.verdict};
    const auto [place, is_new] = places.emplace(key, distinct.size());
    if (is_new) distinct.emplace_back(&finding, 0);
    ++distinct[place->second].second;
  }
  std::vector<std::string> lines;
  for (const auto& [finding, count] : distinct) {
    const auto& row = finding->row;
    auto line = row.axis + ": before " + in_quotes(row.before) + ", after " + in_quotes(row.after);
    line += " (" + row.verdict + "; ";
    line += count == 1 ? "in " : "in " + std::to_string(count) + " pairs, first ";
    lines.push_back(line + finding->before + " and " + finding->after + ")");
  }
  return lines;
}

}  // namespace zl::caliber
