#include "campaign/schedule.hpp"

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <numeric>
#include <random>

#include "campaign/partition_split.hpp"

using namespace zl::campaign;

namespace {

using Random = std::mt19937_64;

std::vector<Load> draw(Random& random, std::size_t count, Load low, Load high) {
  std::uniform_int_distribution<Load> length(low, high);
  std::vector<Load> jobs(count);
  for (auto& job : jobs) job = length(random);
  return jobs;
}

/// By trying every assignment up to the names of the machines.
Load brute_force(std::span<const Load> jobs, std::vector<Load>& loads, std::size_t next,
                 Load best) {
  if (next == jobs.size()) return std::min(best, *std::max_element(loads.begin(), loads.end()));
  for (std::size_t m = 0; m < loads.size(); ++m) {
    const bool untouched = loads[m] == 0;
    loads[m] += jobs[next];
    if (loads[m] < best) best = brute_force(jobs, loads, next + 1, best);
    loads[m] -= jobs[next];
    if (untouched) break;
  }
  return best;
}

const auto never = [] { return false; };

}  // namespace

BOOST_AUTO_TEST_SUITE(schedule)

BOOST_AUTO_TEST_CASE(longest_first_is_what_graham_says) {
  // Graham's worst case for three machines: 11 where 9 is possible.
  const std::vector<Load> jobs = {5, 5, 4, 4, 3, 3, 3};
  const auto greedy = longest_first(jobs, 3);
  BOOST_TEST(greedy.makespan == 11);
  BOOST_TEST(makespan_of(jobs, greedy.machine_of, 3) == 11);
  const auto best = best_schedule(jobs, 3, never);
  BOOST_TEST(best.schedule.makespan == 9);
  BOOST_TEST(best.proven());
}

BOOST_AUTO_TEST_CASE(bounds_of_known_cases) {
  BOOST_TEST(lower_bound(std::vector<Load>{}, 2) == 0);
  BOOST_TEST(lower_bound(std::vector<Load>{7, 1, 1}, 3) == 7);
  BOOST_TEST(lower_bound(std::vector<Load>{4, 4, 4}, 2) == 8);        // two of three meet
  BOOST_TEST(lower_bound(std::vector<Load>{3, 3, 3, 3, 3}, 2) == 9);  // three of five
  BOOST_TEST(too_many_for_bins(std::vector<Load>{6, 6, 6}, 2, 10));
  BOOST_TEST(too_many_for_bins(std::vector<Load>{6, 6, 5, 5}, 3, 10) == false);
  BOOST_TEST(too_many_for_bins(std::vector<Load>{7, 7, 4, 4}, 3, 10) == false);
  BOOST_TEST(too_many_for_bins(std::vector<Load>{7, 7, 4, 4}, 2, 10));
}

BOOST_AUTO_TEST_CASE(best_is_what_trying_everything_finds) {
  Random random(11);
  for (int i = 0; i < 400; ++i) {
    const std::size_t n = 1 + random() % 10;
    const std::size_t m = 1 + random() % 5;
    const Load high = i % 4 == 0 ? 5 : i % 4 == 1 ? 30 : i % 4 == 2 ? 100 : 10'000;
    const auto jobs = draw(random, n, i % 3 == 0 ? 0 : high / 3 + 1, high);
    std::vector<Load> loads(m);
    const auto truth =
        brute_force(jobs, loads, 0, std::accumulate(jobs.begin(), jobs.end(), Load{1}));
    const auto best = best_schedule(jobs, m, never);
    BOOST_TEST_CONTEXT("case " << i << ", " << n << " jobs on " << m) {
      BOOST_TEST(best.schedule.makespan == truth);
      BOOST_TEST(best.lower_bound == truth);
      BOOST_TEST(makespan_of(jobs, best.schedule.machine_of, m) == truth);
      BOOST_TEST(lower_bound(jobs, m) <= truth);
      auto sorted = jobs;
      std::sort(sorted.begin(), sorted.end(), std::greater<>());
      BOOST_TEST(!too_many_for_bins(sorted, m, truth));
    }
  }
}

BOOST_AUTO_TEST_CASE(a_perfect_schedule_that_is_there_is_found) {
  // Machines cut into jobs at random: all of them can end at the same time again. Refusing that
  // wrongly anywhere in the search would raise the bound above it.
  Random random(15);
  for (int i = 0; i < 150; ++i) {
    const std::size_t m = 2 + random() % 6;
    const Load end = i % 3 == 0 ? 60 : i % 3 == 1 ? 1000 : 300'000;
    std::vector<Load> jobs;
    for (std::size_t machine = 0; machine < m; ++machine) {
      Load left = end;
      for (std::size_t piece = 2 + random() % 5; piece > 1 && left > 1; --piece) {
        const auto most = static_cast<std::uint64_t>(left) - 1;
        jobs.push_back(1 + static_cast<Load>(random() % most));
        left -= jobs.back();
      }
      jobs.push_back(left);
    }
    std::shuffle(jobs.begin(), jobs.end(), random);
    const auto best = best_schedule(jobs, m, never);
    BOOST_TEST_CONTEXT("case " << i << ", " << jobs.size() << " jobs on " << m) {
      BOOST_TEST(best.schedule.makespan == end);
      BOOST_TEST(best.proven());
    }
  }
}

BOOST_AUTO_TEST_CASE(never_worse_than_greedy_never_below_the_bound) {
  Random random(12);
  for (int i = 0; i < 300; ++i) {
    const std::size_t n = 1 + random() % 120;
    const std::size_t m = 1 + random() % 12;
    const auto jobs = draw(random, n, i % 2 == 0 ? 1 : 20, i % 3 == 0 ? 99'999 : 100);
    const auto greedy = longest_first(jobs, m);
    int asked = 0;
    const auto best = best_schedule(jobs, m, [&] { return ++asked > 3; });
    BOOST_TEST(makespan_of(jobs, best.schedule.machine_of, m) == best.schedule.makespan);
    BOOST_TEST(best.schedule.makespan <= greedy.makespan);
    BOOST_TEST(best.lower_bound <= best.schedule.makespan);
    BOOST_TEST(best.lower_bound >= lower_bound(jobs, m));
    const auto fitted = multifit(jobs, m, lower_bound(jobs, m), greedy.makespan);
    if (fitted) {
      BOOST_TEST(fitted->makespan < greedy.makespan);
      BOOST_TEST(makespan_of(jobs, fitted->machine_of, m) == fitted->makespan);
    }
  }
}

BOOST_AUTO_TEST_CASE(an_expired_search_still_answers) {
  Random random(13);
  const auto jobs = draw(random, 48, 10'000, 99'999);
  const auto best = best_schedule(jobs, 8, [] { return true; });
  BOOST_TEST(best.schedule.makespan <= longest_first(jobs, 8).makespan);
  BOOST_TEST(best.lower_bound < best.schedule.makespan);
  BOOST_TEST(!best.proven());
}

BOOST_AUTO_TEST_CASE(split_schedules_hold_every_round_once) {
  Random random(14);
  for (int i = 0; i < 300; ++i) {
    const std::size_t n = 1 + random() % 40;
    const std::size_t m = 1 + random() % 8;
    const auto rounds = static_cast<unsigned>(1 + random() % 7);
    auto jobs = draw(random, n, 1, 50);
    if (i % 2 == 0) jobs.front() = 1000;
    int asked = 0;
    const auto split = split_schedule(jobs, rounds, m, i % 3 == 0, [&] { return ++asked > 3; });
    std::vector<unsigned> given(n);
    std::vector<Load> loads(m);
    for (const auto& piece : split.pieces) {
      BOOST_TEST(piece.rounds > 0U);
      given[piece.job] += piece.rounds;
      loads[piece.machine] += piece.rounds * jobs[piece.job];
    }
    BOOST_TEST(std::all_of(given.begin(), given.end(), [&](unsigned g) { return g == rounds; }));
    BOOST_TEST(*std::max_element(loads.begin(), loads.end()) == split.makespan);
    BOOST_TEST(split.lower_bound <= split.makespan);
    BOOST_TEST(split.makespan <= longest_first(jobs, m).makespan * rounds);
  }
}

BOOST_AUTO_TEST_SUITE_END()
