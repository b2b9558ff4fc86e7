#include "spec.hpp"

namespace zl::summary_tool {

cli::Spec spec() {
  cli::Spec spec;
  spec.name = "zl-summary";
  spec.summary = "Tell which rows a switch made faster or slower, and whether that can be trusted.";
  spec.synopsis = {"[OPTIONS] ROOT...", "[OPTIONS] BEFORE AFTER"};
  spec.groups = {
      {"What is shown",
       {{"per-op", "", "one row an operator: range, geometric mean, counts"},
        {"order-check", "", "instead: trends over rounds and effects of which side ran first"},
        {"min-effect", "PCT", "changes below this are the same (default 1 %)"},
        {"clock-drop", "PCT", "note clocks this far below the operator's median (default 3 %)"},
        {"fail-on", "VERDICT", "exit 1 when any row is faster, slower or unclear", true}}},
      {"Caliber",
       {{"ignore", "AXIS", "let this axis differ", true},
        {"tolerance", "AXIS=PCT", "let the numbers of this axis differ by so many percent", true},
        {"allow-caliber-mismatch", "", "go on, and label every row non-comparable"}}},
      {"Output",
       {{"format", "FORMAT", "tsv (default), json (JSON Lines) or markdown"},
        {"html", "FILE", "write one self-contained page as well, with every interval and trace"},
        {"json", "", "the same as --format json"}}}};
  spec.operands = "ROOT... | BEFORE AFTER";
  spec.most_operands = -1;
  spec.details =
      "ROOT is a campaign's root; several are shards of one campaign. BEFORE and AFTER\n"
      "are folders of one run, folders of logs, or log files: FlagGems tables, --record\n"
      "log, --record json, rows as TSV or JSON Lines.\n"
      "\n"
      "Rows pair by operator, dtype, size detail and occurrence; only rows that\n"
      "succeeded on both sides with positive latencies count, from cells that are OK.\n"
      "speedup_pct is (before/after - 1) * 100 of the medians over rounds. The interval\n"
      "(95 %) is Student's on the mean paired log ratio, its variance moderated by the\n"
      "other rows where there are 20 or more (Smyth 2004).\n"
      "\n"
      "faster, slower  significant over all rows (Benjamini-Hochberg, 5 %), at least\n"
      "                --min-effect, more than two steps of the timer, and where clocks\n"
      "                are known at least half of it is there in cycles too\n"
      "same            the whole interval lies within --min-effect, or both sides had\n"
      "                the same generated code (SWITCH_NO_IR_DIFF)\n"
      "unclear         anything else, and fewer than 3 rounds\n"
      "\n"
      "Exit status: 0 done, 1 a verdict of --fail-on was found, 2 bad usage or input,\n"
      "or no row on both sides, 3 cannot write, 4 calibers differ.\n";
  return spec;
}

}  // namespace zl::summary_tool
