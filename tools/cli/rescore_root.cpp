#include "cli/rescore_root.hpp"

#include "base/parallel.hpp"
#include "base/text.hpp"
#include "campaign/rescore.hpp"
#include "cli/criterion_options.hpp"
#include "cli/exit_status.hpp"

namespace zl::cli {

namespace {

std::string or_none(const std::string& status) {
  return status.empty() ? "(none)" : status;
}

void print_counts(Context& context, const campaign::RescoreResult& result) {
  using enum formats::ColumnType;
  formats::RowWriter writer(context.out,
                            {{"old_status", text}, {"new_status", text}, {"operators", number}},
                            context.row_format());
  for (const auto& [change, count] : result.transitions())
    writer.write({change.first, change.second, std::to_string(count)});
}

void print_operators(Context& context, const campaign::RescoreResult& result) {
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

}  // namespace

int rescore_root(Context& context, const std::string& root) {
  campaign::RescoreOptions options;
  options.criterion = criterion_from(context);
  options.threads = default_threads();
  options.dry_run = context.has("dry-run");
  options.stop = context.stop;
  const auto result = campaign::rescore(root, options);
  if (result.interrupted) return exit_done;  // the frame makes it 128 + signal
  if (context.has("counts"))
    print_counts(context, result);
  else
    print_operators(context, result);
  int status = exit_done;
  std::size_t kept = 0;
  for (const auto& rescored : result.operators) {
    if (rescored.kept) ++kept;
    if (!rescored.unreadable) continue;
    context.say(printable(rescored.op) + ": " +
                (rescored.kept ? rescored.note : rescored.row.reason));
    status = exit_incomplete;
  }
  if (kept > 0)
    context.say(std::to_string(kept) + " of " + std::to_string(result.operators.size()) +
                " could not be judged and keep their old row");
  if (!result.original.empty())
    context.say("the old table is " + in_quotes(result.original.native()));
  return status;
}

}  // namespace zl::cli
