#include "spec.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "base/number.hpp"
#include "base/text.hpp"
#include "caliber/axes.hpp"

namespace zl::caliber_tool {

cli::Spec spec() {
  cli::Spec spec;
  spec.name = "zl-caliber";
  spec.summary = "May these two runs be compared? Exit 0 if so, 4 with every differing axis named.";
  spec.synopsis = {"[OPTIONS] BEFORE AFTER", "[OPTIONS] ROOT", "[OPTIONS] --pairs < pairs.tsv"};
  spec.groups = {
      {"Judging",
       {{"allow-caliber-mismatch", "", "print the mismatches and exit 0"},
        {"ignore", "AXIS", "an axis or watched fact that may differ", true},
        {"tolerance", "AXIS=PCT", "a numeric axis may differ by PCT percent", true},
        {"pairs", "", "judge `before after` rows from standard input"},
        {"explain", "", "add a column: what a mismatch has been seen to do, and what pins it"},
        {"all", "", "with ROOT or --pairs: print the axes that agree as well"}}},
      cli::output_options()};
  spec.operands = "FOLDER";
  spec.most_operands = 2;
  spec.details =
      "Axes: backend, device (UUID; host and index where none is known), timer,\n"
      "bench_level, shape_mode (with the shape file's hash), tuner_cache and\n"
      "direct_repeat must be equal. autotune_mode: record with replay is the normal\n"
      "shape, record with record is refused. A missing or unreadable\n"
      "run_identity.json is a mismatch. Recording on a shared tuner cache, another\n"
      "driver, library version or parameter warn.\n"
      "\n"
      "ROOT: the sides of every round are compared, and every round with the\n"
      "operator's first one (there a device is its model).\n"
      "\n"
      "Verdicts: same, differs, refused, tolerated, ignored, warning.\n"
      "Exit status: 0 comparable; 2 bad usage; 4 a mismatch.\n"
      "\n"
      "  zl-caliber ab/topk/r1/before ab/topk/r1/after || exit 4\n";
  return spec;
}

namespace {

void require_axis(const std::string& name, const char* option) {
  const auto& axes = caliber::axis_names();
  const bool watched = name == "op" || name == "test_node" || name == "provider" ||
                       name == "driver" || name == "tool_version" || name.starts_with("library.") ||
                       name.starts_with("parameter.");
  if (!watched && std::find(axes.begin(), axes.end(), name) == axes.end())
    throw usage_error(std::string(option) + ": unknown axis " + in_quotes(name) + "; known are: " +
                      join(axes, ", ") + ", and driver, library.NAME, parameter.NAME");
}

}  // namespace

caliber::Rules rules_from(const cli::Context& context) {
  caliber::Rules rules;
  for (const auto& axis : context.values("ignore")) {
    require_axis(axis, "--ignore");
    rules.ignored.insert(axis);
  }
  for (const auto& text : context.values("tolerance")) {
    const auto equals = text.find('=');
    const auto percent = equals == std::string::npos
                             ? std::nullopt
                             : parse_double(std::string_view(text).substr(equals + 1));
    if (!percent || *percent < 0)
      throw usage_error("--tolerance: expected AXIS=PCT, got " + in_quotes(text));
    require_axis(text.substr(0, equals), "--tolerance");
    rules.tolerance_pct[text.substr(0, equals)] = *percent;
  }
  return rules;
}

}  // namespace zl::caliber_tool
