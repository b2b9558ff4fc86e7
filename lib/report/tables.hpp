#pragma once
// A summary as rows for the row writers, and as Markdown.

#include "formats/rows.hpp"
#include "report/order_check.hpp"
#include "report/summary.hpp"

namespace zl::report {

/// Columns of a table and its rows, in the row model of every tool.
struct Table {
  std::vector<formats::Column> columns;
  std::vector<std::vector<std::string>> rows;
};

/// summary.tsv
Table row_table(const Summary& summary);
/// One row an operator.
Table operator_table(const Summary& summary);
Table order_table(const std::vector<OrderRow>& rows);

/// A table in GitHub's Markdown, numbers to the right.
std::string markdown(const Table& table);

/// What has to be read beside the table: pairs, geometric mean, caliber, timer, what was dropped.
std::vector<std::string> remarks(const Summary& summary);

}  // namespace zl::report
