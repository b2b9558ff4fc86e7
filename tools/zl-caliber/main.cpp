// zl-caliber: may two runs be compared at all?

#include "base/error.hpp"
#include "base/text.hpp"
#include "caliber/axes.hpp"
#include "cli/exit_status.hpp"
#include "spec.hpp"

namespace {

using namespace zl;

/// Writes comparisons as rows, each row led by what names its pair, and counts the mismatches.
class Report {
 public:
  Report(cli::Context& context, std::initializer_list<const char*> leading, bool agreeing)
      : context_(context),
        agreeing_(agreeing),
        writer_(context.out, columns(context, leading), context.row_format()) {}

  void add(const std::vector<std::string>& leading, const caliber::Comparison& comparison,
           const std::string& name) {
    for (const auto& axis : comparison.axes) {
      if (!agreeing_ && axis.verdict == caliber::Verdict::same) continue;
      auto fields = leading;
      fields.insert(fields.end(),
                    {axis.axis, axis.before, axis.after, caliber::verdict_name(axis.verdict)});
      if (context_.has("explain")) {
        const bool differs = axis.verdict != caliber::Verdict::same;
        fields.push_back(differs ? caliber::explain(axis.axis) : "");
      }
      writer_.write(fields);
    }
    const auto prefix = name.empty() ? "" : name + ": ";
    if (comparison.warns()) context_.say(prefix + caliber::warning_line(comparison));
    if (comparison.comparable()) return;
    ++mismatches_;
    context_.say(prefix + caliber::mismatch_line(comparison));
  }

  int status() const {
    return mismatches_ != 0 && !context_.has("allow-caliber-mismatch") ? cli::exit_caliber
                                                                       : cli::exit_done;
  }

 private:
  static std::vector<formats::Column> columns(const cli::Context& context,
                                              std::initializer_list<const char*> leading) {
    auto all = formats::text_columns(leading);
    for (const char* name : {"axis", "before", "after", "verdict"})
      all.push_back({name, formats::ColumnType::text});
    if (context.has("explain")) all.push_back({"explanation", formats::ColumnType::text});
    return all;
  }

  cli::Context& context_;
  bool agreeing_;
  formats::RowWriter writer_;
  std::size_t mismatches_ = 0;
};

int judge_pairs(cli::Context& context, const caliber::Rules& rules) {
  formats::RowReader reader(context.in, "-");
  Report report(context, {"pair_before", "pair_after"}, context.has("all"));
  formats::Row row;
  while (reader.next(row)) {
    const auto& before = row.fields[reader.require_column("before")];
    const auto& after = row.fields[reader.require_column("after")];
    report.add({before, after}, caliber::compare_folders(before, after, rules),
               before + " " + after);
  }
  return report.status();
}

int judge_root(cli::Context& context, const caliber::Rules& rules) {
  Report report(context, {"op", "round", "pair"}, context.has("all"));
  const auto comparisons = caliber::compare_root(context.operands[0], rules);
  if (comparisons.empty())
    throw input_error({context.operands[0]}, "no round with both sides: is it a campaign's root?");
  for (const auto& [op, round, pair, comparison] : comparisons)
    report.add({op, std::to_string(round), pair}, comparison,
               op + " r" + std::to_string(round) + " " + pair);
  return report.status();
}

int body(cli::Context& context) {
  const auto rules = caliber_tool::rules_from(context);
  if (context.has("pairs") != context.operands.empty())
    throw usage_error("expected BEFORE AFTER, ROOT, or --pairs");
  if (context.has("pairs")) return judge_pairs(context, rules);
  if (context.operands.size() == 1) return judge_root(context, rules);
  Report report(context, {}, true);
  report.add({}, caliber::compare_folders(context.operands[0], context.operands[1], rules), "");
  return report.status();
}

}  // namespace

int main(int argc, char** argv) {
  return cli::run_tool(caliber_tool::spec(), argc, argv, body);
}
