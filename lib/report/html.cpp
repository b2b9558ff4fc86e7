#include "report/html.hpp"

#include "base/number.hpp"
#include "base/text.hpp"
#include "report/html_plots.hpp"
#include "report/tables.hpp"

namespace zl::report {

namespace {

/// Beyond this many operators their sections begin closed.
constexpr std::size_t open_operators = 12;

std::string signed_percent(double value) {
  return (value > 0 ? "+" : "") + format_fixed(value, 2) + " %";
}

std::string cell(const char* css, const char* name, const std::string& text) {
  std::string html = std::string("<td class=\"") + css + "\"";
  if (*name != '\0') html += std::string(" data-name=\"") + name + "\"";
  return html + ">" + html_text(text) + "</td>";
}

std::string noise(const SummaryRow& row) {
  if (!row.noise_before_pct || !row.noise_after_pct) return "";
  return format_fixed(*row.noise_before_pct, 2) + " / " + format_fixed(*row.noise_after_pct, 2);
}

std::string interval(const SummaryRow& row) {
  if (!row.ci_low_pct || !row.ci_high_pct) return "";
  return format_fixed(*row.ci_low_pct, 2) + " … " + format_fixed(*row.ci_high_pct, 2);
}

void append_row(std::string& page, const SummaryRow& row, double scale, double min_effect) {
  page += "<tr class=\"" + row.verdict + "\">";
  page += cell("size", "", row.dtype + (row.dtype.empty() ? "" : " ") + row.size);
  page += cell("number", "rounds", std::to_string(row.pairs.size()));
  page += cell("number", "before ms", format_rounded(row.before_ms, 6));
  page += cell("number", "after ms", format_rounded(row.after_ms, 6));
  page += cell("number", "speedup", signed_percent(row.speedup_pct));
  page += "<td class=\"interval\">" + interval_plot(row, scale, min_effect) + "</td>";
  page += cell("number", "interval %", interval(row));
  page += cell("number", "noise %", noise(row));
  page += cell("verdict", "", row.verdict);
  page += cell("note", "", join(row.notes, "; "));
  page += "</tr>\n";
}

std::string counts_of(const OperatorSummary& op) {
  std::string text = signed_percent(op.geomean_pct) + " geometric mean, " +
                     signed_percent(op.least_pct) + " to " + signed_percent(op.most_pct);
  const auto add = [&](std::size_t count, const char* name) {
    if (count > 0) text += ", " + std::to_string(count) + " " + name;
  };
  add(op.faster, verdict::faster);
  add(op.slower, verdict::slower);
  add(op.same, verdict::same);
  add(op.unclear, verdict::unclear);
  add(op.non_comparable, verdict::non_comparable);
  return text;
}

void append_operator(std::string& page, const OperatorSummary& op,
                     const std::vector<const SummaryRow*>& rows, const Measurements& measurements,
                     double scale, double min_effect, bool open) {
  page += std::string("<details") + (open ? " open" : "") + "><summary><h2>" + html_text(op.op) +
          "</h2> <span class=\"quiet\">" + html_text(counts_of(op)) + "</span></summary>\n";
  page +=
      "<table><thead><tr><th>row</th><th class=\"number\">rounds</th>"
      "<th class=\"number\">before ms</th><th class=\"number\">after ms</th>"
      "<th class=\"number\">speedup</th><th>" +
      interval_axis(scale) +
      "</th><th class=\"number\">interval %</th><th class=\"number\">noise %</th>"
      "<th>verdict</th><th>note</th></tr></thead><tbody>\n";
  for (const auto* row : rows) append_row(page, *row, scale, min_effect);
  page += "</tbody></table>\n<div class=\"plots\">";
  const bool several_rounds = rows.front()->pairs.size() > 1;
  if (several_rounds)
    page +=
        "<figure><figcaption>Speedup in each round</figcaption>" + rounds_plot(rows) + "</figure>";
  if (const auto traces = traces_plot(rows, measurements); !traces.empty())
    page +=
        "<figure><figcaption class=\"key\">Telemetry, cells in the order they ran"
        "<i style=\"background:var(--before)\"></i>before"
        "<i style=\"background:var(--after)\"></i>after</figcaption>" +
        traces + "</figure>";
  page += "</div></details>\n";
}

void append_head(std::string& page, const Summary& summary, const SummaryOptions& options,
                 const std::string& title) {
  page +=
      "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">"
      "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">"
      "<meta name=\"color-scheme\" content=\"light dark\"><title>" +
      html_text(title) + "</title>\n<style>";
  page += html_style();
  page += "</style></head><body>\n<h1>" + html_text(title) + "</h1>\n";
  if (!options.comparable)
    page +=
        "<p class=\"warning\">The runs were not measured under the same conditions: no figure "
        "on this page compares anything.</p>\n";
  OperatorSummary all;
  for (const auto& op : summary.operators) {
    all.faster += op.faster, all.slower += op.slower, all.same += op.same;
    all.unclear += op.unclear, all.non_comparable += op.non_comparable;
  }
  page += "<ul class=\"counts\">";
  const auto add = [&](const std::string& value, const std::string& name) {
    page += "<li><b>" + html_text(value) + "</b>" + html_text(name) + "</li>";
  };
  if (summary.geomean_pct) add(signed_percent(*summary.geomean_pct), "geometric mean");
  add(std::to_string(all.faster), verdict::faster);
  add(std::to_string(all.slower), verdict::slower);
  add(std::to_string(all.same), verdict::same);
  add(std::to_string(all.unclear), verdict::unclear);
  if (all.non_comparable > 0) add(std::to_string(all.non_comparable), verdict::non_comparable);
  page += "</ul>\n<ul class=\"quiet\">";
  for (const auto& remark : remarks(summary)) page += "<li>" + html_text(remark) + "</li>";
  page +=
      "<li>Points are the ratio of the medians, bars the interval of the mean paired log ratio; "
      "within the grey band (±" +
      format_rounded(options.min_effect_pct, 2) + " %) a change is the same.</li></ul>\n";
}

}  // namespace

std::string html_page(const Summary& summary, const Measurements& measurements,
                      const SummaryOptions& options, const std::string& title) {
  std::string page;
  append_head(page, summary, options, title);
  const double scale = interval_scale(summary, options.min_effect_pct);
  std::map<std::string, std::vector<const SummaryRow*>> by_operator;
  for (const auto& row : summary.rows) by_operator[row.op].push_back(&row);
  for (const auto& op : summary.operators)
    append_operator(page, op, by_operator[op.op], measurements, scale, options.min_effect_pct,
                    summary.operators.size() <= open_operators);
  return page + "</body></html>\n";
}

}  // namespace zl::report
