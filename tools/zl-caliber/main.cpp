// zl-caliber: may these runs be compared?

#include <algorithm>

#include "base/error.hpp"
#include "base/text.hpp"
#include "caliber/check.hpp"
#include "cli/exit_status.hpp"
#include "cli/run_tool.hpp"

namespace {

using namespace zl;

cli::Spec spec() {
  cli::Spec spec;
  spec.name = "zl-caliber";
  spec.summary = "Tell whether runs were measured under the same conditions.";
  spec.synopsis = {"[OPTIONS] BEFORE AFTER", "[OPTIONS] ROOT", "[OPTIONS] --pairs < PAIRS"};
  spec.groups = {
      {"Rules",
       {{"ignore", "AXIS", "let this axis differ", true},
        {"tolerance", "AXIS=PCT", "let the numbers of this axis differ by so many percent", true},
        {"allow-caliber-mismatch", "", "report mismatches and exit 0 all the same"}}},
      {"Input and output",
       {{"pairs", "", "read rows with columns before and after (folders or files) from stdin"},
        {"explain", "", "add what a differing axis has been seen to do to a figure"},
        {"json", "", "write JSON Lines instead of TSV"}}}};
  spec.operands = "BEFORE AFTER | ROOT";
  spec.most_operands = 2;
  spec.details =
      "A run is its folder (with run_identity.json), that file, or a log beside it.\n"
      "Axes: backend device timer bench_level shape_mode tuner_cache direct_repeat must\n"
      "be equal; a device is the same by UUID, or by host and index where no UUID is\n"
      "known. autotune_mode: record against replay is normal, record against record is\n"
      "refused. A missing or unreadable identity is a mismatch. Driver, libraries and\n"
      "parameters that differ are warnings.\n"
      "\n"
      "BEFORE AFTER prints every axis; ROOT and --pairs print what is not the same. A\n"
      "root is checked side against side in every round, and round against round.\n"
      "\n"
      "Exit status: 0 comparable, 2 bad usage or input, 4 not comparable.\n";
  return spec;
}

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
    if (!two_runs &&
        (row.verdict == caliber::verdict::same || row.verdict == caliber::verdict::normal))
      continue;
    std::vector<std::string> fields = {row.axis, row.before, row.after, row.verdict};
    if (!two_runs) fields.insert(fields.begin(), {before, after});
    if (context.has("explain"))
      fields.emplace_back(row.verdict == caliber::verdict::same ? ""
                                                                : caliber::effect_of(row.axis));
    writer.write(fields);
  }
  const auto mismatches = describe(findings, true);
  for (const auto& line : mismatches) context.say("!!! [caliber] " + line);
  return mismatches.empty() || context.has("allow-caliber-mismatch") ? cli::exit_done
                                                                     : cli::exit_caliber;
}

}  // namespace

int main(int argc, char** argv) {
  return zl::cli::run_tool(spec(), argc, argv, body);
}
