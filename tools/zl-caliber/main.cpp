// zl-caliber: may these runs be compared?

#include <algorithm>

#include "base/error.hpp"
#include "base/text.hpp"
#include "caliber/check.hpp"
#include "cli/exit_status.hpp"
#include "cli/run_tool.hpp"
#include "spec.hpp"

namespace {

using namespace zl;

std::vector<caliber::Finding> check_pairs(cli::Context& context, const caliber::Rules& rules) {
  formats::RowReader reader(context.in, "-");
  formats::Row row;
  std::vector<caliber::Finding> findings;
  while (reader.next(row)) {
    const auto before = caliber::read_run(row.fields[reader.require_column("before")]);
    const auto after = caliber::read_run(row.fields[reader.require_column("after")]);
    for (auto& axis : caliber::compare_runs(before, after, rules))
      findings.push_back({before.name, after.name, std::move(axis)});
  }
  return findings;
}

std::vector<caliber::Finding> check(cli::Context& context, const caliber::Rules& rules) {
  const auto& operands = context.operands;
  if (context.has("pairs") != operands.empty())
    throw usage_error(operands.empty() ? "expected BEFORE AFTER, ROOT or --pairs"
                                       : "--pairs takes no operand");
  if (context.has("pairs")) return check_pairs(context, rules);
  if (operands.size() == 1) return check_cells(caliber::read_cells(operands[0]), rules).findings;
  std::vector<caliber::Finding> findings;
  for (auto& axis :
       compare_runs(caliber::read_run(operands[0]), caliber::read_run(operands[1]), rules))
    findings.push_back({operands[0], operands[1], std::move(axis)});
  return findings;
}

int body(cli::Context& context) {
  const auto findings =
      check(context, caliber::parse_rules(context.values("ignore"), context.values("tolerance")));
  const bool two_runs = context.operands.size() == 2;
  auto columns = formats::text_columns({"axis", "before", "after", "verdict"});
  if (!two_runs) {
    const auto names = formats::text_columns({"before_run", "after_run"});
    columns.insert(columns.begin(), names.begin(), names.end());
  }
  if (context.has("explain")) columns.push_back({"effect", formats::ColumnType::text});
  formats::RowWriter writer(context.out, columns, context.row_format());
  for (const auto& [before, after, row] : findings) {
    if (!two_runs && row.usual()) continue;
    std::vector<std::string> fields = {row.axis, row.before, row.after, row.verdict};
    if (!two_runs) fields.insert(fields.begin(), {before, after});
    if (context.has("explain"))
      fields.emplace_back(row.verdict == caliber::verdict::same ? ""
                                                                : caliber::effect_of(row.axis));
    writer.write(fields);
  }
  const auto mismatches = describe(findings, true);
  for (const auto& line : mismatches) context.say("!!! [caliber] " + line);
  for (const auto& line : describe(findings, false)) context.say("[caliber] " + line);
  return mismatches.empty() || context.has("allow-caliber-mismatch") ? cli::exit_done
                                                                     : cli::exit_caliber;
}

}  // namespace

int main(int argc, char** argv) {
  return zl::cli::run_tool(zl::caliber_tool::spec(), argc, argv, body);
}
