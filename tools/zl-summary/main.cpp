// zl-summary: what a campaign measured, row by row, with its noise and its evidence.

#include "base/error.hpp"
#include "base/files.hpp"
#include "base/text.hpp"
#include "cli/exit_status.hpp"
#include "cli/run_tool.hpp"
#include "report/html.hpp"
#include "report/tables.hpp"
#include "spec.hpp"

namespace {

using namespace zl;

void write(cli::Context& context, const report::Table& table, const std::string& format) {
  if (format == "markdown") {
    context.out << report::markdown(table);
    return;
  }
  formats::RowWriter writer(
      context.out, table.columns,
      format == "json" ? formats::RowFormat::json_lines : formats::RowFormat::tsv);
  for (const auto& row : table.rows) writer.write(row);
}

std::string format_of(const cli::Context& context) {
  auto format = context.value("format").value_or(context.has("json") ? "json" : "tsv");
  if (format != "tsv" && format != "json" && format != "markdown")
    throw usage_error("--format: expected tsv, json or markdown, got '" + format + "'");
  return format;
}

/// False when runs differ and nobody allowed it.
bool check_caliber(cli::Context& context, const report::Sources& sources,
                   report::SummaryOptions& options) {
  const auto rules = caliber::parse_rules(context.values("ignore"), context.values("tolerance"));
  const auto check = report::check_sources(sources, rules);
  for (const auto& line : describe(check.findings, true)) context.say("!!! [caliber] " + line);
  for (const auto& line : describe(check.findings, false)) context.say("[caliber] " + line);
  options.comparable = check.comparable();
  return options.comparable || context.has("allow-caliber-mismatch");
}

bool fails(const report::Summary& summary, const std::vector<std::string>& verdicts) {
  for (const auto& row : summary.rows)
    for (const auto& verdict : verdicts)
      if (row.verdict == verdict) return true;
  return false;
}

std::vector<std::string> fail_verdicts(const cli::Context& context) {
  auto verdicts = context.values("fail-on");
  for (const auto& verdict : verdicts)
    if (verdict != "slower" && verdict != "faster" && verdict != "unclear")
      throw usage_error("--fail-on: expected slower, faster or unclear, got '" + verdict + "'");
  return verdicts;
}

int body(cli::Context& context) {
  report::SummaryOptions options;
  options.min_effect_pct = context.number("min-effect", 0, 1000).value_or(options.min_effect_pct);
  options.clock_drop_pct = context.number("clock-drop", 0, 100).value_or(options.clock_drop_pct);
  const auto format = format_of(context);
  const auto failing = fail_verdicts(context);
  const auto sources = report::find_sources(context.operands);
  if (!check_caliber(context, sources, options)) return cli::exit_caliber;
  const auto measurements = report::read_measurements(sources, context.has("html"));
  if (measurements.modes.size() > 1) {
    context.say("!!! [caliber] the logs name several modes: " +
                join({measurements.modes.begin(), measurements.modes.end()}, " "));
    options.comparable = false;
    if (!context.has("allow-caliber-mismatch")) return cli::exit_caliber;
  }
  const auto summary = report::summarise(sources, measurements, options);
  write(context,
        context.has("order-check") ? report::order_table(report::check_order(summary, measurements))
        : context.has("per-op")    ? report::operator_table(summary)
                                   : report::row_table(summary),
        format);
  if (const auto file = context.value("html"))
    replace_file(*file, report::html_page(summary, measurements, options,
                                          "zl-summary " + join(context.operands, " ")));
  for (const auto& line : report::remarks(summary)) context.say(line);
  if (summary.rows.empty()) {
    context.say("no row was measured on both sides");
    return cli::exit_bad_input;
  }
  return fails(summary, failing) ? cli::exit_different : cli::exit_done;
}

}  // namespace

int main(int argc, char** argv) {
  return zl::cli::run_tool(zl::summary_tool::spec(), argc, argv, body);
}
