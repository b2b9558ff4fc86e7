#include "report/html_plots.hpp"

#include <algorithm>
#include <cmath>

#include "base/number.hpp"
#include "base/text.hpp"

namespace zl::report {

namespace {

std::string number(double value) {
  return format_rounded(value, 1);
}

std::string attribute(const char* name, double value) {
  return std::string(" ") + name + "=\"" + number(value) + "\"";
}

std::string line(const char* css, double x1, double y1, double x2, double y2) {
  return std::string("<line class=\"") + css + "\"" + attribute("x1", x1) + attribute("y1", y1) +
         attribute("x2", x2) + attribute("y2", y2) + "/>";
}

std::string label(const char* css, double x, double y, const std::string& text) {
  return std::string("<text class=\"") + css + "\"" + attribute("x", x) + attribute("y", y) + ">" +
         html_text(text) + "</text>";
}

std::string open_svg(const char* css, double width, double height, const std::string& title) {
  return std::string("<svg class=\"") + css + "\" viewBox=\"0 0 " + number(width) + " " +
         number(height) + "\" role=\"img\" aria-label=\"" + html_text(title) + "\">";
}

constexpr double interval_width = 220, interval_height = 18;

/// Where a percentage stands on the shared axis.
double interval_x(double pct, double scale) {
  return interval_width / 2 * (1 + std::clamp(pct / scale, -1.0, 1.0) * 0.96);
}

struct Range {
  double low = 0, high = 1;
};

Range range_of(const std::vector<double>& values, double least_span) {
  const auto [low, high] = std::minmax_element(values.begin(), values.end());
  const double middle = (*low + *high) / 2;
  const double half = std::max((*high - *low) / 2, least_span / 2) * 1.08;
  return {middle - half, middle + half};
}

}  // namespace

std::string html_text(std::string_view text) {
  std::string out;
  for (const char c : printable(text)) {
    switch (c) {
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '&':
        out += "&amp;";
        break;
      case '"':
        out += "&quot;";
        break;
      default:
        out += c;
    }
  }
  return out;
}

double interval_scale(const Summary& summary, double min_effect_pct) {
  std::vector<double> sizes;
  for (const auto& row : summary.rows) sizes.push_back(std::abs(row.speedup_pct));
  std::sort(sizes.begin(), sizes.end());
  // A few huge changes must not press all others onto the zero line.
  const double most = sizes.empty() ? 0 : sizes[(sizes.size() - 1) * 9 / 10];
  const double wanted = std::max({most * 1.3, 3 * min_effect_pct, 1.0});
  const double unit = std::pow(10, std::floor(std::log10(wanted)));
  for (const double step : {1.0, 2.0, 5.0})
    if (wanted <= step * unit) return step * unit;
  return 10 * unit;
}

std::string interval_plot(const SummaryRow& row, double scale, double min_effect_pct) {
  constexpr double middle = interval_height / 2;
  auto svg = open_svg("interval", interval_width, interval_height,
                      "speedup " + format_fixed(row.speedup_pct, 2) + " %");
  const double left = interval_x(-min_effect_pct, scale), right = interval_x(min_effect_pct, scale);
  svg += "<rect class=\"band\"" + attribute("x", left) + " y=\"0\"" +
         attribute("width", right - left) + attribute("height", interval_height) + "/>";
  svg += line("zero", interval_width / 2, 0, interval_width / 2, interval_height);
  if (row.ci_low_pct && row.ci_high_pct)
    svg += line("range", interval_x(*row.ci_low_pct, scale), middle,
                interval_x(*row.ci_high_pct, scale), middle);
  const double x = interval_x(row.speedup_pct, scale);
  if (std::abs(row.speedup_pct) > scale) {
    const double back = row.speedup_pct > 0 ? -7 : 7;
    svg += "<path class=\"point\" d=\"M" + number(x) + " " + number(middle) + "l" + number(back) +
           " -5v10z\"/>";
  } else {
    svg += "<circle class=\"point\"" + attribute("cx", x) + attribute("cy", middle) + " r=\"4\"/>";
  }
  return svg + "</svg>";
}

std::string interval_axis(double scale) {
  auto svg = open_svg("interval", interval_width, interval_height, "scale of the intervals");
  for (const double part : {-1.0, -0.5, 0.0, 0.5, 1.0}) {
    const auto text =
        (part > 0 ? "+" : "") + format_rounded(part * scale, 2) + (part == 0 ? " %" : "");
    const char* anchor = part < -0.9 ? "start" : part > 0.9 ? "end" : "middle";
    svg += label(anchor,
                 part < -0.9  ? 1
                 : part > 0.9 ? interval_width - 1
                              : interval_x(part * scale, scale),
                 13, text);
  }
  return svg + "</svg>";
}

std::string rounds_plot(const std::vector<const SummaryRow*>& rows) {
  constexpr double width = 460, height = 170, left = 52, right = 12, top = 10, bottom = 24;
  std::vector<double> values;
  unsigned first = ~0U, last = 0;
  const auto speedup = [](const RoundPair& pair) {
    return 100 * (pair.before_ms / pair.after_ms - 1);
  };
  for (const auto* row : rows)
    for (const auto& pair : row->pairs) {
      values.push_back(speedup(pair));
      first = std::min(first, pair.round);
      last = std::max(last, pair.round);
    }
  if (values.empty()) return "";
  const auto range = range_of(values, 1);
  const double span = std::max(1.0, static_cast<double>(last - first));
  const auto x = [&](unsigned round) {
    return last == first
               ? (left + width - right) / 2
               : left + (width - left - right) * static_cast<double>(round - first) / span;
  };
  const auto y = [&](double value) {
    return top + (height - top - bottom) * (range.high - value) / (range.high - range.low);
  };
  auto svg = open_svg("rounds", width, height, "speedup of each row in each round");
  if (range.low < 0 && range.high > 0) svg += line("zero", left, y(0), width - right, y(0));
  svg += label("end", left - 6, y(range.high) + 10, format_fixed(range.high, 1) + " %");
  svg += label("end", left - 6, y(range.low), format_fixed(range.low, 1) + " %");
  const auto step = std::max(1U, (last - first) / 12);
  for (unsigned round = first; round <= last; round += step)
    svg += label("middle", x(round), height - 7, "r" + std::to_string(round));
  for (const auto* row : rows) {
    std::string points;
    for (const auto& pair : row->pairs)
      points += number(x(pair.round)) + "," + number(y(speedup(pair))) + " ";
    svg += "<polyline class=\"" + row->verdict + "\" points=\"" + points + "\"><title>" +
           html_text(row->dtype + " " + row->size) + "</title></polyline>";
    for (const auto& pair : row->pairs)
      svg += "<circle class=\"" + row->verdict + "\"" + attribute("cx", x(pair.round)) +
             attribute("cy", y(speedup(pair))) + " r=\"2\"/>";
  }
  return svg + "</svg>";
}

namespace {

/// The cells of an operator with their place on a time axis without waiting times.
struct Stretch {
  const MeasuredCell* cell;
  double from_s, to_s;
};

std::vector<Stretch> stretches_of(const std::vector<const SummaryRow*>& rows,
                                  const Measurements& all) {
  std::set<std::uint32_t> cells;
  for (const auto* row : rows)
    for (const auto& pair : row->pairs) cells.insert({pair.before_cell, pair.after_cell});
  std::vector<Stretch> stretches;
  for (const auto id : cells)
    if (all.cells[id].evidence && !all.cells[id].evidence->trace.empty())
      stretches.push_back({&all.cells[id], 0, 0});
  std::sort(stretches.begin(), stretches.end(), [](const Stretch& a, const Stretch& b) {
    return a.cell->evidence->trace.front().time < b.cell->evidence->trace.front().time;
  });
  double at = 0;
  for (auto& stretch : stretches) {
    const auto& trace = stretch.cell->evidence->trace;
    const std::chrono::duration<double> length = trace.back().time - trace.front().time;
    stretch.from_s = at;
    stretch.to_s = at += std::max(0.5, length.count());
  }
  return stretches;
}

using Reading = std::optional<double> TracePoint::*;

/// One quantity; "" where it was never known.
std::string trace_plot(const std::vector<Stretch>& stretches, Reading reading, const char* unit,
                       double least_span) {
  constexpr double width = 460, height = 70, left = 70, right = 12, top = 6, bottom = 6;
  std::vector<double> values;
  for (const auto& stretch : stretches)
    for (const auto& point : stretch.cell->evidence->trace)
      if (point.*reading) values.push_back(*(point.*reading));
  if (values.empty()) return "";
  const auto range = range_of(values, least_span);
  const auto x = [&](double s) {
    return left + (width - left - right) * s / stretches.back().to_s;
  };
  const auto y = [&](double v) {
    return top + (height - top - bottom) * (range.high - v) / (range.high - range.low);
  };
  auto svg = open_svg("trace", width, height, std::string("telemetry in ") + unit);
  const auto [low, high] = std::minmax_element(values.begin(), values.end());
  svg += label("end", left - 6, top + 11, format_rounded(*high, 0) + " " + unit);
  if (*low < *high)
    svg += label("end", left - 6, height - bottom, format_rounded(*low, 0) + " " + unit);
  for (const auto& stretch : stretches) {
    const auto* side = campaign::side_name(stretch.cell->cell.side);
    svg += std::string("<rect class=\"") + side + "\"" + attribute("x", x(stretch.from_s)) +
           " y=\"0\"" + attribute("width", x(stretch.to_s) - x(stretch.from_s)) +
           attribute("height", height) + "><title>r" + std::to_string(stretch.cell->cell.round) +
           " " + side + "</title></rect>";
    std::string points;
    const auto& trace = stretch.cell->evidence->trace;
    for (const auto& point : trace) {
      if (!(point.*reading)) continue;
      const std::chrono::duration<double> since = point.time - trace.front().time;
      points +=
          number(x(stretch.from_s + since.count())) + "," + number(y(*(point.*reading))) + " ";
    }
    svg += std::string("<polyline class=\"") + side + "\" points=\"" + points + "\"/>";
  }
  return svg + "</svg>";
}

}  // namespace

std::string traces_plot(const std::vector<const SummaryRow*>& rows,
                        const Measurements& measurements) {
  const auto stretches = stretches_of(rows, measurements);
  if (stretches.empty()) return "";
  return trace_plot(stretches, &TracePoint::sm_clock_mhz, "MHz", 20) +
         trace_plot(stretches, &TracePoint::power_w, "W", 5) +
         trace_plot(stretches, &TracePoint::temp_c, "C", 2);
}

}  // namespace zl::report
