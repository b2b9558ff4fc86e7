#include "campaign/rescore.hpp"

#include <algorithm>
#include <optional>

#include "base/error.hpp"
#include "base/files.hpp"
#include "base/parallel.hpp"
#include "base/text.hpp"
#include "campaign/judge.hpp"
#include "campaign/ops_status.hpp"
#include "campaign/run_folder.hpp"
#include "campaign/screen_table.hpp"
#include "formats/run_identity.hpp"

namespace zl::campaign {

namespace fs = std::filesystem;

namespace {

/// How one side's cell ended, as far as anything tells.
struct SideEnd {
  std::string failure;  ///< "" for a cell that did not fail
  std::optional<double> elapsed_s;
};

bool counts_as_failed(const std::string& status) {
  return status == status::failed || status == status::timeout || status == status::interrupted ||
         status == status::device_lost;
}

SideEnd side_end(const fs::path& root, const std::vector<OpsStatus>& ledger, const Cell& cell) {
  SideEnd end;
  // The last line of a cell counts: it may have been run again.
  const auto entry = std::find_if(ledger.rbegin(), ledger.rend(),
                                  [&](const auto& row) { return row.cell == cell; });
  const std::string side = side_name(cell.side);
  if (entry != ledger.rend()) {
    end.elapsed_s = entry->elapsed_s;
    if (counts_as_failed(entry->status))
      end.failure = side + ": " + entry->status +
                    (entry->exit_code ? " " + std::to_string(*entry->exit_code) : "") +
                    (entry->note.empty() ? "" : " (" + entry->note + ")");
    return end;
  }
  const auto folder = cell_folder(root, cell);
  std::error_code ignored;
  if (!fs::exists(folder / formats::run_identity_file, ignored)) return end;
  const auto identity = formats::read_run_identity(folder);
  if (!identity.exit_code)
    end.failure = side + ": did not finish";
  else if (*identity.exit_code != 0)
    end.failure = side + ": exit status " + std::to_string(*identity.exit_code);
  return end;
}

/// An operator to be judged: the round whose artifacts count.
struct Subject {
  std::string op;
  unsigned round = 1;
  bool has_before = false, has_after = false;  ///< artifacts
};

Subject subject_of(const std::string& op, const std::vector<CellFolder>& cells) {
  Subject best{op, 0, false, false};
  std::map<unsigned, Subject> rounds;
  for (const auto& folder : cells) {
    auto& subject =
        rounds.try_emplace(folder.cell.round, Subject{op, folder.cell.round, false, false})
            .first->second;
    std::error_code ignored;
    const bool there = fs::exists(folder.path / ir_folder, ignored);
    (folder.cell.side == Side::before ? subject.has_before : subject.has_after) = there;
  }
  for (const auto& [round, subject] : rounds) {
    if (best.round == 0) best = subject;
    if (subject.has_before && subject.has_after) return subject;
  }
  return best;
}

struct Setting {
  const fs::path& root;
  const RescoreOptions& options;
  const ScreenTable& old;
  const std::vector<OpsStatus>& ledger;
};

RescoredOperator keep(const Setting& setting, RescoredOperator result, const std::string& why) {
  const auto at = setting.old.find(result.op);
  if (at) {
    result.kept = true;
    result.row.status = result.old_status;
    result.row.reason = setting.old.field(*at, "reason");
    result.note = "kept: " + why;
  } else {
    result.row.status = screen_status::no_ir;
    result.row.criterion = setting.options.criterion.text();
    result.row.reason = why;
  }
  return result;
}

RescoredOperator judge_operator(const Setting& setting, const Subject& subject) {
  RescoredOperator result;
  result.op = result.row.op = subject.op;
  if (const auto at = setting.old.find(subject.op))
    result.old_status = setting.old.field(*at, "status");
  const Cell before{subject.op, subject.round, Side::before},
      after{subject.op, subject.round, Side::after};
  const bool complete = subject.has_before && subject.has_after;
  if (!complete && !result.old_status.empty())
    return keep(
        setting, std::move(result),
        std::string("no artifacts ") + (!subject.has_before && !subject.has_after ? "on either side"
                                        : subject.has_before                      ? "after"
                                                                                  : "before"));
  try {
    const auto end_before = side_end(setting.root, setting.ledger, before);
    const auto end_after = side_end(setting.root, setting.ledger, after);
    if (!end_before.failure.empty() || !end_after.failure.empty()) {
      result.row.status = end_after.failure.empty()    ? screen_status::failed_before
                          : end_before.failure.empty() ? screen_status::failed_after
                                                       : screen_status::failed_both;
      result.row.reason = end_before.failure +
                          (end_before.failure.empty() || end_after.failure.empty() ? "" : "; ") +
                          end_after.failure;
    } else {
      ir::ReadOptions reading;
      reading.stop = setting.options.stop;
      result.row = judge_pair(cell_folder(setting.root, before) / ir_folder,
                              cell_folder(setting.root, after) / ir_folder,
                              setting.options.criterion, reading);
      result.row.op = subject.op;
    }
    result.row.elapsed_before_s = end_before.elapsed_s;
    result.row.elapsed_after_s = end_after.elapsed_s;
  } catch (const Error& error) {
    if (setting.options.stop.requested()) throw;
    result.unreadable = true;
    return keep(setting, std::move(result), error.what());
  }
  return result;
}

std::vector<Subject> subjects_of(const fs::path& root, const ScreenTable& old) {
  std::map<std::string, std::vector<CellFolder>> cells;
  for (auto& cell : list_cells(root)) cells[cell.cell.op].push_back(cell);
  std::vector<Subject> subjects;
  for (std::size_t i = 0; i < old.size(); ++i) {
    const auto& op = old.field(i, "op");
    const auto found = cells.find(op);
    subjects.push_back(found == cells.end() ? Subject{op, 1, false, false}
                                            : subject_of(op, found->second));
    if (found != cells.end()) cells.erase(found);
  }
  for (const auto& [op, folders] : cells) subjects.push_back(subject_of(op, folders));
  return subjects;
}

}  // namespace

std::map<std::pair<std::string, std::string>, std::size_t> RescoreResult::transitions() const {
  std::map<std::pair<std::string, std::string>, std::size_t> counts;
  for (const auto& rescored : operators) ++counts[{rescored.old_status, rescored.row.status}];
  return counts;
}

RescoreResult rescore(const fs::path& root, const RescoreOptions& options) {
  ir::check(options.criterion);
  const auto file = root / screen_file;
  std::error_code ignored;
  const bool had_screen = fs::exists(file, ignored);
  auto table = had_screen ? ScreenTable::read(file) : ScreenTable();
  const auto subjects = subjects_of(root, table);
  if (subjects.empty()) throw input_error({printable(root.native()), 0, 0}, "holds no operator");
  const auto ledger_file = root / ops_status_file;
  const auto ledger =
      fs::exists(ledger_file, ignored) ? read_ops_status(ledger_file) : std::vector<OpsStatus>{};
  const Setting setting{root, options, table, ledger};
  RescoreResult result;
  result.operators.resize(subjects.size());
  try {
    parallel_for(subjects.size(), options.threads, [&]() -> std::function<void(std::size_t)> {
      return [&](std::size_t i) { result.operators[i] = judge_operator(setting, subjects[i]); };
    });
  } catch (const Error&) {
    if (!options.stop.requested()) throw;
  }
  result.interrupted = options.stop.requested();
  if (result.interrupted || options.dry_run) return result;
  auto changed = table;
  for (const auto& rescored : result.operators)
    if (!rescored.kept) changed.set(rescored.row);
  if (had_screen) result.original = keep_original(file);
  replace_file(file, changed.text());
  return result;
}

}  // namespace zl::campaign
