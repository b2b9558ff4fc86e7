#pragma once
// The ledger of a root: which cells ended and how. It is what makes an interrupted campaign
// resumable: a cell counts as soon as its folder stands under its final name, and its line in
// ops_status.tsv can be made again from the folder.

#include <filesystem>
#include <map>
#include <mutex>
#include <optional>
#include <tuple>

#include "base/files.hpp"
#include "campaign/ops_status.hpp"

namespace zl::campaign {

class Ledger {
 public:
  /// Opens ROOT/ops_status.tsv, writing lines that a crash lost, and removes what unfinished
  /// cells left. Throws Error(environment), or Error(input) when the ledger is damaged.
  explicit Ledger(std::filesystem::path root);

  /// The last word on a cell; nothing where it has not ended.
  std::optional<OpsStatus> find(const Cell& cell) const;
  /// Whether the cell must still be run: it has not ended, or ended for a reason outside itself.
  bool is_missing(const Cell& cell) const;

  /// Folder in which a cell is measured until it is done. Throws Error(environment) when it cannot
  /// be made, or when a link below the root would lead out of it.
  std::filesystem::path open_cell(const Cell& cell) const;
  /// Makes the cell's folder final (synced, renamed) and appends its line. Thread-safe.
  void close_cell(const OpsStatus& row);
  /// Appends a line for a cell that has no folder (skipped, device lost). Thread-safe.
  void note_cell(const OpsStatus& row);
  /// Removes the folder of a cell that was interrupted. Thread-safe.
  void drop_cell(const Cell& cell) const;

 private:
  using Key = std::tuple<std::string, unsigned, Side>;
  void append(const OpsStatus& row);
  void recover_cell(const Cell& cell, const std::filesystem::path& folder);

  std::filesystem::path root_;
  AppendFile file_;
  mutable std::mutex mutex_;
  std::map<Key, OpsStatus> rows_;
};

}  // namespace zl::campaign
