#pragma once
// Single figures from a list of values: median, spread, geometric mean, the step of the timer.

#include <optional>
#include <span>
#include <vector>

namespace zl::stats {

/// The middle value, or the mean of the two in the middle. `values` must not be empty.
double median(std::vector<double> values);

/// Relative spread of one side over its rounds in percent: standard deviation of the logarithms.
/// Nothing below two values.
std::optional<double> noise_pct(std::span<const double> positive);

/// exp of the mean of the logarithms given. Nothing for none.
std::optional<double> geometric_mean(std::span<const double> logarithms);

/// Slope of y over x by least squares with its two-sided p value (Student). Nothing below three
/// points or without spread in x.
struct Trend {
  double slope = 0;
  double p = 1;
};
std::optional<Trend> trend(std::span<const double> x, std::span<const double> y);

/// The step in which a timer counts, in ms: the largest multiple of 1 ns, up to 1 µs, of which
/// all but one in fifty of the distinct latencies are multiples. Nothing below 10 distinct
/// latencies, or where they keep to no step above 1 ns.
std::optional<double> timer_step_ms(std::span<const double> latencies_ms);

}  // namespace zl::stats
