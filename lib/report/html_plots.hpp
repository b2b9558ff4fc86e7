#pragma once
// The drawings of the HTML page, as inline SVG. Colours and widths come from the page's style
// sheet by class, so that light and dark are one drawing.

#include <string>
#include <vector>

#include "report/summary.hpp"

namespace zl::report {

/// Text safe inside elements and attribute values.
std::string html_text(std::string_view text);

/// The axis that all intervals of a page share, in percent to both sides of zero.
double interval_scale(const Summary& summary, double min_effect_pct);

/// One row's speedup and interval over the band of no effect; arrows where it leaves the scale.
std::string interval_plot(const SummaryRow& row, double scale_pct, double min_effect_pct);
/// The numbers of that axis.
std::string interval_axis(double scale_pct);

/// Speedup of every row of one operator in every round.
std::string rounds_plot(const std::vector<const SummaryRow*>& rows);

/// Clock, power and temperature of an operator's cells, in the order they ran, waiting times
/// left out. "" where there is no telemetry.
std::string traces_plot(const std::vector<const SummaryRow*>& rows,
                        const Measurements& measurements);

}  // namespace zl::report
