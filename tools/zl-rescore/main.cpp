// zl-rescore: judge every operator of a root again, from the artifacts alone.

#include "base/error.hpp"
#include "base/parallel.hpp"
#include "base/text.hpp"
#include "campaign/rescore.hpp"
#include "cli/criterion_options.hpp"
#include "cli/exit_status.hpp"

namespace {

using namespace zl;

cli::Spec spec() {
  cli::Spec spec;
  spec.name = "zl-rescore";
  spec.summary = "Judge every operator of a root again, from the kernels that its cells kept.";
  spec.synopsis = {"[OPTIONS] ROOT"};
  spec.groups = {
      {"What is done",
       {{"dry-run", "", "print the verdicts, write nothing"},
        {"counts", "",
         "print how many operators went from which status to which, instead of a row each"}}},
      cli::criterion_options(),
      cli::output_options()};
  spec.operands = "ROOT";
  spec.most_operands = 1;
  spec.details =
      "Rewrites ROOT/screen.tsv whole; the old table stays as screen.tsv.orig, or\n"
      "the first free of screen.tsv.orig.1, .2, ... Interrupted, it is the old or the\n"
      "new one. Prints a row an operator, old and new status; the counts of each\n"
      "change of status follow on standard error.\n"
      "\n"
      "Judged is ROOT/<op>/r<N>/<before|after>/ir of the lowest round that has both.\n"
      "IR_CHANGED, IR_SAME: by the fingerprints, see zl-irfp. NO_IR: a side without\n"
      "kernels, or with one cut short. FAILED_*: the cell failed, by ops_status.tsv\n"
      "or run_identity.json. An operator whose artifacts are missing or unreadable\n"
      "keeps its old row, and the note says so.\n"
      "\n"
      "Exit status: 0 done; 2 bad usage, no operator, a malformed table; 3 cannot\n"
      "write; 5 done, but some artifacts could not be read.\n"
      "\n"
      "  zl-rescore --dry-run screen/ | awk -F'\\t' '$2 != $3'\n";
  return spec;
}

std::string or_none(const std::string& status) {
  return status.empty() ? "(none)" : status;
}

void print_counts(cli::Context& context, const campaign::RescoreResult& result) {
  using enum formats::ColumnType;
  formats::RowWriter writer(context.out,
                            {{"old_status", text}, {"new_status", text}, {"operators", number}},
                            context.row_format());
  for (const auto& [change, count] : result.transitions())
    writer.write({change.first, change.second, std::to_string(count)});
}

void print_operators(cli::Context& context, const campaign::RescoreResult& result) {
  using enum formats::ColumnType;
  formats::RowWriter writer(context.out,
                            {{"op", text},
                             {"old_status", text},
                             {"new_status", text},
                             {"kernels_before", number},
                             {"kernels_after", number},
                             {"cvt_before", number},
                             {"cvt_after", number},
                             {"note", text}},
                            context.row_format());
  for (const auto& rescored : result.operators) {
    const auto fields = campaign::screen_fields(rescored.row);
    writer.write({rescored.op, rescored.old_status, rescored.row.status, fields[2], fields[3],
                  fields[4], fields[5], rescored.kept ? rescored.note : rescored.row.reason});
  }
  context.out.flush();
  for (const auto& [change, count] : result.transitions())
    context.say(or_none(change.first) + " -> " + or_none(change.second) + ": " +
                std::to_string(count));
}

int body(cli::Context& context) {
  if (context.operands.size() != 1) throw usage_error("expected ROOT");
  campaign::RescoreOptions options;
  options.criterion = cli::criterion_from(context);
  options.threads = default_threads();
  options.dry_run = context.has("dry-run");
  options.stop = context.stop;
  const auto result = campaign::rescore(context.operands[0], options);
  if (result.interrupted) return cli::exit_done;  // the frame makes it 128 + signal
  if (context.has("counts"))
    print_counts(context, result);
  else
    print_operators(context, result);
  int status = cli::exit_done;
  std::size_t kept = 0;
  for (const auto& rescored : result.operators) {
    if (rescored.kept) ++kept;
    if (!rescored.unreadable) continue;
    context.say(printable(rescored.op) + ": " +
                (rescored.kept ? rescored.note : rescored.row.reason));
    status = cli::exit_incomplete;
  }
  if (kept > 0)
    context.say(std::to_string(kept) + " of " + std::to_string(result.operators.size()) +
                " could not be judged and keep their old row");
  if (!result.original.empty())
    context.say("the old table is " + in_quotes(result.original.native()));
  return status;
}

}  // namespace

int main(int argc, char** argv) {
  return zl::cli::run_tool(spec(), argc, argv, body);
}
