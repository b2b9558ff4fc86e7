#pragma once
// zl-rescore's command line.

#include "cli/criterion_options.hpp"

namespace zl::rescore_tool {

inline cli::Spec spec() {
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

}  // namespace zl::rescore_tool
