#include "campaign/partition.hpp"

#include <boost/json.hpp>
#include <boost/test/unit_test.hpp>
#include <fstream>
#include <random>
#include <set>
#include <sstream>

#include "campaign/cards.hpp"
#include "campaign/partition_output.hpp"
#include "campaign/plan.hpp"
#include "campaign/work_list.hpp"

using namespace zl;
using namespace zl::campaign;

namespace {

WorkList read(const std::string& text, const std::vector<std::string>& statuses = {"IR_CHANGED"}) {
  std::istringstream in(text);
  formats::RowReader reader(in, "screen.tsv");
  return read_work(reader, statuses);
}

std::string failure(const std::string& text) {
  try {
    read(text);
  } catch (const Error& error) {
    BOOST_TEST((error.kind() == ErrorKind::input));
    return error.what();
  }
  return {};
}

WorkList sample() {
  std::ifstream in(ZL_TEST_DATA "/partition/screen.tsv");
  formats::RowReader reader(in, "screen.tsv");
  return read_work(reader, {"IR_CHANGED"});
}

PartitionOptions options(Algorithm algorithm, unsigned rounds, bool split = false) {
  PartitionOptions chosen;
  chosen.algorithm = algorithm;
  chosen.rounds = rounds;
  chosen.split_rounds = split;
  return chosen;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(partition)

BOOST_AUTO_TEST_CASE(figures_of_the_sample) {
  const auto work = sample();
  const auto cards = numbered_cards(4);
  const auto lpt = campaign::partition(work.jobs, cards, options(Algorithm::longest_first, 6));
  BOOST_TEST(lpt.makespan_s / 60 == 70.6, boost::test_tools::tolerance(1e-9));
  BOOST_TEST(lpt.ideal_s / 60 == 45.4, boost::test_tools::tolerance(1e-9));
  BOOST_TEST(lpt.floor_s / 60 == 70.6, boost::test_tools::tolerance(1e-9));
  BOOST_TEST(work.jobs[lpt.heaviest].op == "topk");
  BOOST_TEST(lpt.optimal);
  BOOST_TEST(lpt.shares[0].job == lpt.heaviest);
  BOOST_TEST(lpt.shares[1].card == 1U);  // topk is alone
  BOOST_TEST(lpt.hash_makespan_s > lpt.makespan_s);
  const auto hash = campaign::partition(work.jobs, cards, options(Algorithm::hash, 6));
  BOOST_TEST(hash.makespan_s == lpt.hash_makespan_s, boost::test_tools::tolerance(1e-9));
  BOOST_TEST(!hash.optimal);
  const auto split =
      campaign::partition(work.jobs, cards, options(Algorithm::longest_first, 6, true));
  BOOST_TEST(split.makespan_s / 60 < 45.4 * 1.01);
  BOOST_TEST(split.split_jobs <= 3U);
  const auto best = campaign::partition(work.jobs, cards, options(Algorithm::best, 6, true));
  BOOST_TEST(best.makespan_s / 60 == 45.4, boost::test_tools::tolerance(1e-3));
  BOOST_TEST(best.optimal);
}

BOOST_AUTO_TEST_CASE(weights_become_whole) {
  const std::vector<Job> jobs = {{"a", 0.75}, {"b", 0.5}, {"c", 0}};
  const auto whole = whole_weights(jobs, 1);
  BOOST_TEST(whole.weights == (std::vector<Load>{3, 2, 0}), boost::test_tools::per_element());
  BOOST_TEST(whole.unit_s == 0.25, boost::test_tools::tolerance(1e-12));
  const std::vector<Job> huge = {{"a", 1e9}, {"b", 1e-6}};
  for (const auto weight : whole_weights(huge, most_rounds).weights) BOOST_TEST(weight >= 0);
  BOOST_TEST(whole_weights(std::vector<Job>{{"a", 0}}, 1).weights.front() == 0);
}

BOOST_AUTO_TEST_CASE(every_operator_once_with_all_its_rounds) {
  std::mt19937_64 random(21);
  std::uniform_real_distribution<double> weight(0, 100);
  for (int i = 0; i < 200; ++i) {
    std::vector<std::string> names;
    const auto count = 1 + random() % 50;
    for (std::size_t op = 0; op < count; ++op) names.push_back("op" + std::to_string(op));
    std::vector<Job> jobs;
    jobs.reserve(names.size());
    for (const auto& name : names) jobs.push_back({name, weight(random)});
    std::vector<Card> cards;
    const auto models = 1 + random() % 3;
    for (std::size_t card = 0; card < 1 + random() % 9; ++card)
      cards.push_back({std::to_string(card), "", std::to_string(random() % models)});
    auto chosen = options(static_cast<Algorithm>(random() % 3),
                          static_cast<unsigned>(1 + random() % 8), random() % 2 == 0);
    if (chosen.algorithm == Algorithm::hash) chosen.split_rounds = false;
    int asked = 0;
    chosen.expired = [&] { return ++asked > 3; };
    const auto result = campaign::partition(jobs, cards, chosen);

    std::vector<std::set<unsigned>> rounds(jobs.size());
    std::vector<std::set<std::string>> model_of(jobs.size());
    std::vector<double> loads(cards.size());
    for (const auto& share : result.shares) {
      BOOST_TEST(share.start_s == loads[share.card], boost::test_tools::tolerance(1e-9));
      loads[share.card] += share.rounds * jobs[share.job].weight_s;
      model_of[share.job].insert(cards[share.card].model);
      for (unsigned r = 0; r < share.rounds; ++r)
        BOOST_TEST(rounds[share.job].insert(share.first_round + r).second);
    }
    for (std::size_t job = 0; job < jobs.size(); ++job) {
      BOOST_TEST(rounds[job].size() == chosen.rounds);
      BOOST_TEST(*rounds[job].begin() == 1U);
      BOOST_TEST(*rounds[job].rbegin() == chosen.rounds);
      BOOST_TEST(model_of[job].size() == 1U);
    }
    BOOST_TEST(result.makespan_s * (1 + 1e-9) >= result.lower_bound_s);
    BOOST_TEST(result.makespan_s * (1 + 1e-9) >= result.ideal_s);
    if (!chosen.split_rounds) BOOST_TEST(result.makespan_s * (1 + 1e-9) >= result.floor_s);
    if (chosen.algorithm == Algorithm::best && models == 1) {
      const auto lpt =
          campaign::partition(jobs, cards, options(Algorithm::longest_first, chosen.rounds));
      BOOST_TEST(result.makespan_s <= lpt.makespan_s * (1 + 1e-9));
    }
  }
}

BOOST_AUTO_TEST_CASE(what_cannot_be_partitioned) {
  BOOST_CHECK_THROW(campaign::partition({}, {}, {}), Error);
  const auto none = campaign::partition({}, numbered_cards(2), {});
  BOOST_TEST(none.shares.empty());
  BOOST_TEST(none.makespan_s == 0);
  const std::vector<Job> idle = {{"a", 0}, {"b", 0}};
  for (const auto algorithm : {Algorithm::longest_first, Algorithm::best})
    for (const bool split : {false, true})
      BOOST_TEST(
          campaign::partition(idle, numbered_cards(2), options(algorithm, 3, split)).optimal);
}

BOOST_AUTO_TEST_CASE(work_errors_have_positions) {
  const std::string head = "op\tstatus\telapsed_before\telapsed_after\n";
  BOOST_TEST(failure("") == "screen.tsv: empty; expected a header line with a column 'op'");
  BOOST_TEST(failure("op\telapsed_before\n").find("no column 'elapsed_after'") !=
             std::string::npos);
  BOOST_TEST(failure(head + "a\tIR_CHANGED\t1\t\n") ==
             "screen.tsv:2:16: column elapsed_after: expected seconds, got an empty field");
  BOOST_TEST(failure(head + "a\tIR_CHANGED\t-1\t1\n") ==
             "screen.tsv:2:14: column elapsed_before: expected seconds from 0 to 1e9, got '-1'");
  BOOST_TEST(failure(head + "a\tIR_CHANGED\tx\t1\n") ==
             "screen.tsv:2:14: column elapsed_before: expected a number, got 'x'");
  BOOST_TEST(failure(head + "a\tIR_SAME\t1\t1\na\tIR_CHANGED\t1\t1\n") ==
             "screen.tsv:3:1: column op: operator 'a' appears twice (line 2)");
  BOOST_TEST(failure(head + "\tIR_CHANGED\t1\t1\n") ==
             "screen.tsv:2:1: column op: expected a name, got an empty field");
}

BOOST_AUTO_TEST_CASE(work_is_chosen_by_status) {
  const std::string head = "op\tstatus\telapsed_before\telapsed_after\n";
  const auto work = read(head + "a\tIR_CHANGED\t1\t2\nb\tFAILED_BOTH\t\t\nc\tIR_CHANGED\t0\t0\n");
  BOOST_TEST(work.jobs.size() == 2U);
  BOOST_TEST(work.jobs[0].weight_s == 3);
  BOOST_TEST(work.left_out.at("FAILED_BOTH") == 1U);
  BOOST_TEST(read("op\tweight_s\na\t4\n").jobs.at(0).weight_s == 4);
}

BOOST_AUTO_TEST_CASE(later_json_columns_are_empty_before) {
  const auto work = read(
      "{\"op\":\"a\",\"elapsed_before\":1,\"elapsed_after\":1,\"x\":\"1\"}\n"
      "{\"op\":\"b\",\"elapsed_before\":1,\"elapsed_after\":1,\"y\":2}\n");
  std::vector<std::string> first;
  std::vector<std::string> second;
  work.append_fields(0, first);
  work.append_fields(1, second);
  BOOST_TEST(first == (std::vector<std::string>{"1", "1", "1", ""}),
             boost::test_tools::per_element());
  BOOST_TEST(second == (std::vector<std::string>{"1", "1", "", "2"}),
             boost::test_tools::per_element());
}

BOOST_AUTO_TEST_SUITE_END()
