#pragma once
// zl-irfp's command line.

#include "cli/criterion_options.hpp"

namespace zl::irfp {

inline cli::Spec spec() {
  cli::Spec spec;
  spec.name = "zl-irfp";
  spec.summary = "Fingerprint trees of compiled kernels, and tell whether two hold the same code.";
  spec.synopsis = {"[OPTIONS] DIR...", "--compare [--diff] [OPTIONS] BEFORE AFTER",
                   "--pairs [OPTIONS] < PAIRS"};
  spec.groups = {
      {"What is asked",
       {{"per-kernel", "", "a row a kernel: name, digest, cvt, bytes, path"},
        {"compare", "", "a row for each kernel that differs; exit status as cmp"},
        {"diff", "",
         "with --compare: unified diffs of the changed kernels instead of rows; names of values "
         "and layouts are made comparable, for this view alone"},
        {"pairs", "", "judge the pairs of rows `before after` from standard input"}}},
      cli::criterion_options(),
      cli::output_options()};
  spec.operands = "DIR";
  spec.most_operands = -1;
  spec.details =
      "A DIR is an artifact folder, a raw Triton cache, a tar of either (with or\n"
      "without compression), or one kernel's file. In a raw cache the folders named\n"
      "by keys are no part of a kernel's name; kernels of one name are compared as a\n"
      "multiset: one variant more or fewer is a change.\n"
      "\n"
      "Left out of the comparison: loc(...) and #loc lines, attributes that begin\n"
      "with ttg.rlc-, line ends and trailing blanks. Every other byte counts. A file\n"
      "with a zero byte near its begin is binary and counts as it is. `cvt` counts\n"
      "ttg.convert_layout and triton_gpu.convert_layout; `bytes` is the size of the\n"
      "canonical text. Digests contain the criterion (irfp/1 and the options above),\n"
      "so two criteria never agree.\n"
      "\n"
      "No kernel on a side, or one that was cut short, is never the same: exit 2.\n"
      "\n"
      "Exit status: 0 done / same; 1 different; 2 no answer (no kernel, unreadable,\n"
      "bad usage); 3 diff is missing, output cannot be written. --pairs: the highest\n"
      "of its pairs.\n"
      "\n"
      "  zl-irfp --compare before/ir after/ir && echo 'nothing to measure'\n";
  return spec;
}

}  // namespace zl::irfp
