#include "spec.hpp"

namespace zl::caliber_tool {

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

}  // namespace zl::caliber_tool
