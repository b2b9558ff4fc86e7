#include "campaign/ledger.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

#include "base/error.hpp"
#include "base/text.hpp"

namespace zl::campaign {

namespace fs = std::filesystem;

namespace {

constexpr const char* status_file = "status.tsv";

std::string one_row_table(const OpsStatus& row) {
  return formats::tsv_header(ops_status_columns()) + formats::tsv_line(ops_status_fields(row));
}

fs::path unfinished(const fs::path& folder) {
  return folder.native() + ".part";
}

void sync_folder(const fs::path& folder) {
  const UniqueFd fd(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (fd) ::fsync(fd.get());
}

/// What a cell left is on the disk before its name is; files below ir/ can be made again.
void sync_files(const fs::path& folder) {
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (!entry.is_regular_file()) continue;
    const UniqueFd fd(::open(entry.path().c_str(), O_RDONLY | O_CLOEXEC));
    if (fd) ::fsync(fd.get());
  }
  sync_folder(folder);
}

/// An earlier measurement of the cell stays, under a name that nothing counts.
void set_aside(const fs::path& folder) {
  for (unsigned i = 1;; ++i) {
    const fs::path aside = folder.native() + ".old." + std::to_string(i);
    std::error_code ec;
    if (fs::exists(aside, ec)) continue;
    fs::rename(folder, aside);
    return;
  }
}

/// The ledger's path, cut back to its last whole line: what follows is what a killed writer left.
fs::path whole_lines(const fs::path& file) {
  const auto content = try_read_file(file);
  if (content && !content->empty() && content->back() != '\n')
    replace_file(file, content->substr(0, content->rfind('\n') + 1));
  return file;
}

}  // namespace

Ledger::Ledger(fs::path root)
    : root_(std::move(root)), file_(whole_lines(root_ / ops_status_file)) {
  for (auto& row : read_ops_status(root_ / ops_status_file)) {
    // A measurement whose folder is gone is no measurement: the cell is missing again.
    std::error_code gone;
    if (!row.run_dir.empty() && !fs::is_directory(cell_folder(root_, row.cell), gone))
      rows_.erase({row.cell.op, row.cell.round, row.cell.side});
    else
      rows_[{row.cell.op, row.cell.round, row.cell.side}] = row;
  }
  for (const auto& [cell, path] : list_cells(root_, true)) recover_cell(cell, path);
  std::error_code ec;
  for (fs::recursive_directory_iterator entry(root_, ec), end; !ec && entry != end;
       entry.increment(ec)) {
    if (entry.depth() > 1) entry.disable_recursion_pending();
    const auto name = entry->path().filename().native();
    if (entry.depth() == 2 && (name == "before.part" || name == "after.part")) {
      entry.disable_recursion_pending();
      fs::remove_all(entry->path(), ec);
    }
  }
}

void Ledger::recover_cell(const Cell& cell, const fs::path& folder) {
  if (find(cell)) return;
  std::error_code ec;
  if (!fs::exists(folder / status_file, ec)) return;
  for (const auto& row : read_ops_status(folder / status_file))
    if (row.cell == cell) append(row);
}

std::optional<OpsStatus> Ledger::find(const Cell& cell) const {
  const std::lock_guard lock(mutex_);
  const auto found = rows_.find({cell.op, cell.round, cell.side});
  return found == rows_.end() ? std::nullopt : std::optional(found->second);
}

bool Ledger::is_missing(const Cell& cell) const {
  const auto row = find(cell);
  return !row || row->status == status::interrupted || row->status == status::device_lost;
}

fs::path Ledger::open_cell(const Cell& cell) const {
  const auto folder = unfinished(cell_folder(root_, cell));
  std::error_code ec;
  // Whoever put a link there: what is written below the root stays below it.
  for (const auto& parent : {folder.parent_path().parent_path(), folder.parent_path()})
    if (fs::is_symlink(fs::symlink_status(parent, ec)))
      throw environment_error(in_quotes(parent.native()) +
                              " is a link: what is measured would leave the root");
  fs::remove_all(folder, ec);
  make_folders(folder);
  return fs::absolute(folder);
}

void Ledger::close_cell(const OpsStatus& row) {
  const auto folder = cell_folder(root_, row.cell);
  replace_file(unfinished(folder) / status_file, one_row_table(row));
  sync_files(unfinished(folder));
  std::error_code ec;
  if (fs::exists(folder, ec)) set_aside(folder);
  fs::rename(unfinished(folder), folder, ec);
  if (ec)
    throw environment_error("cannot rename to " + in_quotes(folder.native()) + ": " + ec.message());
  sync_folder(folder.parent_path());
  append(row);
}

void Ledger::note_cell(const OpsStatus& row) {
  append(row);
}

void Ledger::drop_cell(const Cell& cell) const {
  std::error_code ec;
  const auto folder = unfinished(cell_folder(root_, cell));
  fs::remove_all(folder, ec);
  // Folders that held nothing else go as well.
  fs::remove(folder.parent_path(), ec);
  fs::remove(folder.parent_path().parent_path(), ec);
}

void Ledger::append(const OpsStatus& row) {
  const std::lock_guard lock(mutex_);
  file_.append(formats::tsv_header(ops_status_columns()),
               formats::tsv_line(ops_status_fields(row)));
  file_.sync();
  rows_[{row.cell.op, row.cell.round, row.cell.side}] = row;
}

}  // namespace zl::campaign
