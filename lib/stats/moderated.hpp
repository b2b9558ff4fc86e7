#pragma once
// A paired comparison of two sides over few rounds, for many rows at once. Differences are of
// logarithms, so that faster by a factor and slower by it are equally far.
//
// Method: a t interval on the mean of the paired log ratios (Student, Biometrika 6, 1908), whose
// variance is moderated by what the other rows show (G. K. Smyth, Linear models and empirical
// Bayes methods for assessing differential expression, Stat. Appl. Genet. Mol. Biol. 3(1), 2004):
// with 3 to 10 rounds one disturbed cell blows up a row's own variance. How alike the rows are is
// taken one standard error too low, and below 20 rows nothing is shared: simulated with unequal
// rows, the plain estimate called up to 9 % of campaigns of identical programs different.

#include <cstddef>
#include <span>
#include <vector>

namespace zl::stats {

/// One row's differences, summed up.
struct Paired {
  std::size_t rounds = 0;
  double mean = 0;      ///< of the log ratios
  double variance = 0;  ///< of one round's log ratio
  double df = 0;        ///< degrees of freedom behind the variance; 0: none known
};

/// `log_ratios` and the block (card) of each round, which may be empty for one block. With several
/// blocks the variance is that within blocks, as long as a degree of freedom is left for it.
Paired summarise_pairs(std::span<const double> log_ratios, std::span<const int> blocks = {});

/// What the rows of a campaign have in common: a variance and the degrees of freedom it is worth.
struct SharedVariance {
  double variance = 0;
  double df = 0;  ///< 0: nothing is shared
};

/// From the rows with at least two degrees of freedom.
SharedVariance share_variance(std::span<const Paired> rows);

struct Interval {
  double low = 0, high = 0;  ///< of the mean log ratio
  double p = 1;              ///< two-sided, of no difference
};

/// Interval of the given confidence (0.95). `row.df` must be positive.
Interval interval(const Paired& row, const SharedVariance& shared, double confidence);

/// Adjusted p values, in the order given: rejecting those of at most q keeps the expected share of
/// false ones at q (Y. Benjamini, Y. Hochberg, J. R. Stat. Soc. B 57(1), 1995).
std::vector<double> benjamini_hochberg(std::span<const double> p);

}  // namespace zl::stats
