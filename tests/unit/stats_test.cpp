#include <boost/test/unit_test.hpp>
#include <cmath>
#include <random>

#include "stats/descriptive.hpp"
#include "stats/moderated.hpp"

using namespace zl::stats;

namespace {

/// Log ratios of `rounds` pairs whose cells scatter by `noise`; each cell is disturbed upward by 3
/// to 6 times the noise with the given probability.
std::vector<double> simulate(std::mt19937_64& random, std::size_t rounds, double effect,
                             double noise, double disturbed) {
  std::normal_distribution<double> normal;
  std::uniform_real_distribution<double> uniform;
  const auto cell = [&] {
    const double hit = uniform(random) < disturbed ? 3 + 3 * uniform(random) : 0;
    return noise * (normal(random) + hit);
  };
  std::vector<double> ratios(rounds);
  for (auto& ratio : ratios) ratio = cell() - cell() + effect;
  return ratios;
}

struct Outcome {
  double found = 0, false_findings = 0, campaigns_with_false = 0, covered = 0;
};

/// Campaigns of 50 rows of which `changed` have a true change of 2 %.
Outcome run_campaigns(std::size_t campaigns, std::size_t rounds, std::size_t changed,
                      double disturbed, double spread_of_noise) {
  constexpr std::size_t row_count = 50;
  std::mt19937_64 random(20261009 + rounds);
  std::normal_distribution<double> normal;
  const double effect = std::log(1.02);
  Outcome outcome;
  for (std::size_t c = 0; c < campaigns; ++c) {
    std::vector<Paired> rows;
    for (std::size_t i = 0; i < row_count; ++i)
      rows.push_back(
          summarise_pairs(simulate(random, rounds, i < changed ? effect : 0,
                                   0.005 * std::exp(spread_of_noise * normal(random)), disturbed)));
    const auto shared = share_variance(rows);
    std::vector<double> p;
    for (std::size_t i = 0; i < row_count; ++i) {
      const auto found = interval(rows[i], shared, 0.95);
      p.push_back(found.p);
      const double truth = i < changed ? effect : 0;
      outcome.covered += found.low <= truth && truth <= found.high ? 1 : 0;
    }
    const auto q = benjamini_hochberg(p);
    double wrong = 0;
    for (std::size_t i = 0; i < row_count; ++i)
      if (q[i] <= 0.05) (i < changed ? outcome.found : wrong) += 1;
    outcome.false_findings += wrong;
    outcome.campaigns_with_false += wrong > 0 ? 1 : 0;
  }
  const auto total = static_cast<double>(campaigns);
  if (changed > 0) outcome.found /= total * static_cast<double>(changed);
  outcome.false_findings /= total;
  outcome.campaigns_with_false /= total;
  outcome.covered /= total * row_count;
  return outcome;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(stats)

BOOST_AUTO_TEST_CASE(the_interval_is_students) {
  // Mean 0.02, deviation 0.01, 4 rounds: 0.02 -+ 3.182 * 0.005 by any table of t.
  const std::vector<double> ratios = {0.02 - 0.0122474487139, 0.02, 0.02, 0.02 + 0.0122474487139};
  const auto row = summarise_pairs(ratios);
  BOOST_TEST(row.variance == 1e-4, boost::test_tools::tolerance(1e-9));
  const auto found = interval(row, {}, 0.95);
  BOOST_TEST(found.low == 0.02 - 3.18244630528 * 0.005, boost::test_tools::tolerance(1e-8));
  BOOST_TEST(found.p == 0.0280073, boost::test_tools::tolerance(1e-3));
}

BOOST_AUTO_TEST_CASE(intervals_are_honest_for_3_to_10_rounds) {
  for (std::size_t rounds = 3; rounds <= 10; ++rounds) {
    for (const double spread : {0.0, 0.5}) {
      const auto outcome = run_campaigns(200, rounds, 0, 0, spread);
      BOOST_TEST(outcome.covered >= 0.94, "rounds " << rounds << ": coverage " << outcome.covered);
      BOOST_TEST(outcome.covered <= 0.97, "rounds " << rounds << ": coverage " << outcome.covered);
    }
  }
}

BOOST_AUTO_TEST_CASE(identical_programs_are_not_called_different) {
  for (const double disturbed : {0.0, 0.05})
    for (const double spread : {0.0, 0.5})
      BOOST_TEST(run_campaigns(1000, 6, 0, disturbed, spread).campaigns_with_false <= 0.06);
}

BOOST_AUTO_TEST_CASE(true_changes_are_found) {
  const auto calm = run_campaigns(200, 6, 10, 0, 0);
  BOOST_TEST(calm.found >= 0.97);
  const auto disturbed = run_campaigns(200, 6, 10, 0.05, 0);
  BOOST_TEST(disturbed.found >= 0.90);
  BOOST_TEST(disturbed.false_findings <= calm.false_findings);
}

BOOST_AUTO_TEST_CASE(few_rows_share_nothing_and_blocks_do_not_count_as_noise) {
  std::mt19937_64 random(1);
  std::vector<Paired> rows;
  rows.reserve(20);
  for (int i = 0; i < 19; ++i) rows.push_back(summarise_pairs(simulate(random, 6, 0, 0.005, 0)));
  BOOST_TEST(share_variance(rows).df == 0);
  rows.push_back(summarise_pairs(simulate(random, 6, 0, 0.005, 0)));
  BOOST_TEST(share_variance(rows).df > 0);
  const std::vector<double> two_cards = {0.01, 0.011, 0.012, 0.05, 0.051, 0.052};
  const std::vector<int> cards = {0, 0, 0, 1, 1, 1};
  const auto row = summarise_pairs(two_cards, cards);
  BOOST_TEST(row.df == 4);
  BOOST_TEST(std::sqrt(row.variance) == 0.001, boost::test_tools::tolerance(1e-6));
  const std::vector<int> all_different = {0, 1, 2, 3, 4, 5};
  BOOST_TEST(summarise_pairs(two_cards, all_different).df == 5);
}

BOOST_AUTO_TEST_CASE(adjusted_p_values) {
  // The 15 p values of the method's paper, section 3: four are rejected at 5 %.
  const std::vector<double> p = {0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344,
                                 0.0459, 0.3240, 0.4262, 0.5719, 0.6528, 0.7590, 1.0000};
  const auto q = benjamini_hochberg(p);
  BOOST_TEST(std::count_if(q.begin(), q.end(), [](double value) { return value <= 0.05; }) == 4);
  BOOST_TEST(q[0] == 0.0015, boost::test_tools::tolerance(1e-9));
  BOOST_TEST(benjamini_hochberg({}).empty());
}

BOOST_AUTO_TEST_CASE(single_figures) {
  BOOST_TEST(median({3, 1, 2}) == 2);
  BOOST_TEST(median({4, 1, 2, 3}) == 2.5);
  BOOST_TEST(!noise_pct(std::vector<double>{1}));
  BOOST_TEST(geometric_mean(std::vector<double>{std::log(2.0), std::log(8.0)}).value() == 4,
             boost::test_tools::tolerance(1e-12));
  const std::vector<double> x = {1, 2, 3, 4}, y = {2, 4, 6, 8.1};
  BOOST_TEST(trend(x, y)->slope == 2.03, boost::test_tools::tolerance(1e-9));
  BOOST_TEST(trend(x, y)->p < 0.001);
  BOOST_TEST(!trend(std::vector<double>{1, 1, 1}, std::vector<double>{1, 2, 3}));
}

BOOST_AUTO_TEST_CASE(the_step_of_a_timer) {
  std::mt19937_64 random(7);
  std::vector<double> musa, fine;
  for (int i = 0; i < 200; ++i) {
    musa.push_back(static_cast<double>(150 + random() % 5000) * 20e-6);
    fine.push_back(0.003 + static_cast<double>(random() % 1000003) * 1e-9);
  }
  BOOST_TEST(timer_step_ms(musa).value() == 20e-6, boost::test_tools::tolerance(1e-9));
  musa.push_back(0.003001);  // one that is off, of two hundred
  BOOST_TEST(timer_step_ms(musa).value() == 20e-6, boost::test_tools::tolerance(1e-9));
  BOOST_TEST(!timer_step_ms(fine));
  BOOST_TEST(!timer_step_ms(std::vector<double>(100, 0.02)));
}

BOOST_AUTO_TEST_SUITE_END()
