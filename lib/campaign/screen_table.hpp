#pragma once
// screen.tsv as a whole, for tools that rewrite it: row order and columns of others survive.

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "campaign/screen.hpp"

namespace zl::campaign {

class ScreenTable {
 public:
  /// An empty table with the design's columns.
  ScreenTable();
  /// Reads either row form. Throws Error(input) for a malformed row, a table without `op`, or an
  /// operator that stands in it twice.
  static ScreenTable read(const std::filesystem::path& file);

  std::size_t size() const { return rows_.size(); }
  std::optional<std::size_t> find(const std::string& op) const;
  const std::string& field(std::size_t row, const std::string& name) const;
  /// Sets the screen's columns of an operator's row, or appends one; a time that is not known
  /// leaves the old one.
  void set(const ScreenRow& row);
  std::string text() const;

 private:
  std::size_t column(const std::string& name) const;

  std::vector<formats::Column> columns_;
  std::vector<std::vector<std::string>> rows_;
};

/// Gives `file` a second name that was free, FILE.orig, FILE.orig.1, …, and returns it. Throws
/// Error(environment).
std::filesystem::path keep_original(const std::filesystem::path& file);

}  // namespace zl::campaign
