#include "ir/compare.hpp"

#include <unistd.h>

#include <algorithm>

#include "base/error.hpp"
#include "base/parallel.hpp"
#include "base/text.hpp"
#include "cli/exit_status.hpp"
#include "ir/renamed_view.hpp"
#include "ir/text_diff.hpp"
#include "modes.hpp"

namespace zl::irfp {

namespace {

/// Canonical bytes of a kernel beyond which nobody reads a diff; it bounds the memory.
constexpr std::uint64_t most_shown_bytes = std::uint64_t{2} << 20U;

void print_rows(cli::Context& context, const ir::Comparison& comparison) {
  using enum formats::ColumnType;
  formats::RowWriter writer(context.out,
                            {{"kernel", text},
                             {"change", text},
                             {"cvt_before", number},
                             {"cvt_after", number},
                             {"digest_before", text},
                             {"digest_after", text}},
                            context.row_format());
  const auto cvt = [](const ir::Kernel* kernel) {
    return kernel != nullptr ? std::to_string(kernel->facts.conversions) : std::string();
  };
  const auto digest = [](const ir::Kernel* kernel) {
    return kernel != nullptr ? kernel->facts.digest.hex() : std::string();
  };
  for (const auto& d : comparison.differences)
    writer.write({shown(d.name()), ir::change_name(d.change), cvt(d.before), cvt(d.after),
                  digest(d.before), digest(d.after)});
}

void print_diffs(cli::Context& context, const ir::Tree& before, const ir::Tree& after,
                 const ir::Comparison& comparison) {
  const bool colour = ::isatty(STDOUT_FILENO) == 1 && context.environment["NO_COLOR"].empty();
  for (const auto& d : comparison.differences) {
    if (context.stop.requested()) return;
    if (d.change != ir::Change::changed) continue;
    if (std::max(d.before->facts.bytes, d.after->facts.bytes) > most_shown_bytes) {
      context.say(printable(d.name()) + " is too large to be shown");
      continue;
    }
    const auto a = ir::canonical_text(before, *d.before), b = ir::canonical_text(after, *d.after);
    const auto view = ir::renamed(a, b);
    const auto diff = [&](const std::string& old_text, const std::string& new_text) {
      return ir::text_diff(old_text, new_text, printable(before.path_of(*d.before)),
                           printable(after.path_of(*d.after)), printable(d.name()), colour);
    };
    // Kernels that differ in names alone are shown as they are.
    context.out << (view.before == view.after ? diff(a, b) : diff(view.before, view.after));
  }
}

std::string totals(const ir::Comparison& comparison, const ir::Verdict& verdict) {
  const auto count = [&](ir::Change change) { return std::to_string(comparison.count(change)); };
  return count(ir::Change::changed) + " changed, " + count(ir::Change::only_before) +
         " only before, " + count(ir::Change::only_after) + " only after, " +
         std::to_string(comparison.same) + " same; cvt " +
         std::to_string(verdict.conversions_before) + " -> " +
         std::to_string(verdict.conversions_after) + " (" + verdict.criterion + ")";
}

}  // namespace

int compare(cli::Context& context, const ir::Criterion& criterion) {
  if (context.operands.size() != 2) throw usage_error("--compare expects BEFORE and AFTER");
  const auto options = read_options(context, default_threads());
  const auto before = ir::read_tree(context.operands[0], criterion, options);
  const auto after = ir::read_tree(context.operands[1], criterion, options);
  const auto comparison = ir::compare_trees(before, after);
  const auto verdict = ir::judge(before, after, comparison);
  if (context.has("diff"))
    print_diffs(context, before, after, comparison);
  else
    print_rows(context, comparison);
  context.out.flush();
  context.say(totals(comparison, verdict));
  if (verdict.answer == ir::Answer::none) {
    context.say("no answer: " + verdict.reason);
    return cli::exit_bad_input;
  }
  return verdict.answer == ir::Answer::same ? cli::exit_done : cli::exit_different;
}

}  // namespace zl::irfp
