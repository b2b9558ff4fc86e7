#include "stats/moderated.hpp"

#include <algorithm>
#include <boost/math/distributions/students_t.hpp>
#include <boost/math/special_functions/digamma.hpp>
#include <boost/math/special_functions/trigamma.hpp>
#include <cmath>
#include <map>
#include <numeric>

namespace zl::stats {

namespace {

constexpr std::size_t fewest_rows_that_share = 20;
constexpr double most_shared_df = 1000;

/// In double: the eleven digits it gives are enough, and long double takes four times as long.
using Student = boost::math::students_t_distribution<
    double, boost::math::policies::policy<boost::math::policies::promote_double<false>>>;

double mean_of(std::span<const double> values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

/// Sum of squares around each block's own mean, and the number of blocks.
std::pair<double, std::size_t> within_blocks(std::span<const double> values,
                                             std::span<const int> blocks) {
  std::map<int, std::pair<double, double>> sums;  // block → sum, count
  const auto block = [&](std::size_t i) { return blocks.empty() ? 0 : blocks[i]; };
  for (std::size_t i = 0; i < values.size(); ++i) {
    sums[block(i)].first += values[i];
    sums[block(i)].second += 1;
  }
  double squares = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const auto& [sum, count] = sums[block(i)];
    squares += (values[i] - sum / count) * (values[i] - sum / count);
  }
  return {squares, sums.size()};
}

/// y with trigamma(y) = x, which falls monotonically.
double inverse_trigamma(double x) {
  double low = 1e-3, high = most_shared_df;
  for (int i = 0; i < 60; ++i) {
    const double middle = std::sqrt(low * high);
    (boost::math::trigamma(middle) > x ? low : high) = middle;
  }
  return low;
}

}  // namespace

Paired summarise_pairs(std::span<const double> log_ratios, std::span<const int> blocks) {
  Paired paired;
  paired.rounds = log_ratios.size();
  if (log_ratios.empty()) return paired;
  paired.mean = mean_of(log_ratios);
  auto [squares, count] = within_blocks(log_ratios, blocks);
  if (count > 1 && log_ratios.size() < count + 1)
    std::tie(squares, count) = within_blocks(log_ratios, {});
  paired.df = static_cast<double>(log_ratios.size() - count);
  if (paired.df > 0) paired.variance = squares / paired.df;
  return paired;
}

SharedVariance share_variance(std::span<const Paired> rows) {
  // The logarithm of a variance with d degrees of freedom has mean digamma(d/2) - log(d/2) and
  // variance trigamma(d/2); what is more than that is how much the rows themselves differ.
  std::vector<double> logs;
  double expected = 0;
  for (const auto& row : rows) {
    if (row.df < 2 || row.variance <= 0) continue;
    logs.push_back(std::log(row.variance) - boost::math::digamma(row.df / 2) +
                   std::log(row.df / 2));
    expected += boost::math::trigamma(row.df / 2);
  }
  if (logs.size() < fewest_rows_that_share) return {};
  const auto count = static_cast<double>(logs.size());
  const double mean = mean_of(logs);
  double second = 0, fourth = 0;
  for (const double value : logs) {
    const double square = (value - mean) * (value - mean);
    second += square;
    fourth += square * square;
  }
  const double variance = second / (count - 1);
  const double standard_error =
      std::sqrt(std::max(0.0, fourth / count - variance * variance) / count);
  const double excess = variance - expected / count + standard_error;
  if (excess <= 0) return {std::exp(mean), most_shared_df};
  const double half = std::min(inverse_trigamma(excess), most_shared_df / 2);
  return {std::exp(mean + boost::math::digamma(half) - std::log(half)), 2 * half};
}

Interval interval(const Paired& row, const SharedVariance& shared, double confidence) {
  const double df = row.df + shared.df;
  const double variance = (row.df * row.variance + shared.df * shared.variance) / df;
  const double error = std::sqrt(variance / static_cast<double>(row.rounds));
  const Student distribution(df);
  const double half = error * quantile(complement(distribution, (1 - confidence) / 2));
  Interval result{row.mean - half, row.mean + half, 1};
  if (error > 0)
    result.p = 2 * cdf(complement(distribution, std::abs(row.mean) / error));
  else if (row.mean != 0)
    result.p = 0;
  return result;
}

std::vector<double> benjamini_hochberg(std::span<const double> p) {
  std::vector<std::size_t> order(p.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return p[a] > p[b]; });
  std::vector<double> adjusted(p.size());
  double least = 1;
  for (std::size_t i = 0; i < order.size(); ++i) {
    const auto rank = static_cast<double>(order.size() - i);
    least = std::min(least, p[order[i]] * static_cast<double>(order.size()) / rank);
    adjusted[order[i]] = least;
  }
  return adjusted;
}

}  // namespace zl::stats
