#pragma once
// A summary as one page that needs nothing else: no network, no script, light and dark, wide and
// narrow.

#include <string>

#include "report/summary.hpp"

namespace zl::report {

/// `title` names what was summed up. Measurements with traces show clocks, power and temperature.
std::string html_page(const Summary& summary, const Measurements& measurements,
                      const SummaryOptions& options, const std::string& title);

/// The page's style sheet.
std::string_view html_style();

}  // namespace zl::report
