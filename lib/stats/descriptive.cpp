#include "stats/descriptive.hpp"

#include <algorithm>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>
#include <cstdint>
#include <numeric>

namespace zl::stats {

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  if (values.size() % 2 != 0) return *middle;
  return (*middle + *std::max_element(values.begin(), middle)) / 2;
}

std::optional<double> noise_pct(std::span<const double> positive) {
  if (positive.size() < 2) return std::nullopt;
  double mean = 0, squares = 0;
  for (const double value : positive) mean += std::log(value);
  mean /= static_cast<double>(positive.size());
  for (const double value : positive)
    squares += (std::log(value) - mean) * (std::log(value) - mean);
  return 100 * std::sqrt(squares / static_cast<double>(positive.size() - 1));
}

std::optional<double> geometric_mean(std::span<const double> logarithms) {
  if (logarithms.empty()) return std::nullopt;
  return std::exp(std::accumulate(logarithms.begin(), logarithms.end(), 0.0) /
                  static_cast<double>(logarithms.size()));
}

std::optional<Trend> trend(std::span<const double> x, std::span<const double> y) {
  const auto count = static_cast<double>(x.size());
  if (x.size() < 3 || x.size() != y.size()) return std::nullopt;
  const double mean_x = std::accumulate(x.begin(), x.end(), 0.0) / count;
  const double mean_y = std::accumulate(y.begin(), y.end(), 0.0) / count;
  double xx = 0, xy = 0, yy = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    xx += (x[i] - mean_x) * (x[i] - mean_x);
    xy += (x[i] - mean_x) * (y[i] - mean_y);
    yy += (y[i] - mean_y) * (y[i] - mean_y);
  }
  if (xx <= 0) return std::nullopt;
  Trend result;
  result.slope = xy / xx;
  const double error = std::sqrt(std::max(0.0, yy - result.slope * xy) / (count - 2) / xx);
  if (error <= 0) {
    result.p = result.slope == 0 ? 1 : 0;
    return result;
  }
  const boost::math::students_t distribution(count - 2);
  result.p = 2 * cdf(complement(distribution, std::abs(result.slope) / error));
  return result;
}

std::optional<double> timer_step_ms(std::span<const double> latencies_ms) {
  constexpr double ns_per_ms = 1e6;
  constexpr std::int64_t longest_ns = 1000;
  constexpr std::size_t enough = 2000;
  std::vector<std::int64_t> ns;
  for (const double latency : latencies_ms) {
    const double exact = latency * ns_per_ms;
    // Beyond a second's worth, or off the grid of whole ns, no step can be read off.
    if (exact <= 0 || exact > 1e15) continue;
    ns.push_back(std::abs(exact - std::round(exact)) < 1e-3 ? std::llround(exact) : -1);
  }
  std::sort(ns.begin(), ns.end());
  ns.erase(std::unique(ns.begin(), ns.end()), ns.end());
  if (ns.size() < 10) return std::nullopt;
  const auto stride = std::max<std::size_t>(1, ns.size() / enough);
  for (std::int64_t step = longest_ns; step > 1; --step) {
    std::size_t seen = 0, off = 0;
    for (std::size_t i = 0; i < ns.size() && off * 50 <= ns.size() / stride; i += stride, ++seen)
      off += ns[i] < 0 || ns[i] % step != 0 ? 1U : 0U;
    if (off * 50 <= seen && off * 50 <= ns.size() / stride)
      return static_cast<double>(step) / ns_per_ms;
  }
  return std::nullopt;
}

}  // namespace zl::stats
