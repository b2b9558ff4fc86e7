#include "campaign/dispatch.hpp"

#include <boost/test/unit_test.hpp>
#include <random>

#include "campaign/partition.hpp"

using namespace zl::campaign;

namespace {

PlanRow row(const std::string& device, const std::string& op, double estimate_s) {
  PlanRow plan;
  plan.device = device;
  plan.op = op;
  plan.estimate_s = estimate_s;
  return plan;
}

std::string next_op(Dispatcher& dispatcher, const std::string& device) {
  const auto given = dispatcher.next(device);
  if (given) BOOST_TEST(given->device == device);
  return given ? given->op : "";
}

const std::vector<PlanRow> two_queues = {row("0", "a", 9), row("0", "b", 5), row("0", "c", 7),
                                         row("1", "d", 6)};

}  // namespace

BOOST_AUTO_TEST_SUITE(dispatch)

BOOST_AUTO_TEST_CASE(a_dry_device_takes_the_longest_waiting) {
  Dispatcher dispatcher(two_queues, {{"0", "H200"}, {"1", "H200"}});
  BOOST_TEST(dispatcher.waiting() == 4U);
  BOOST_TEST(dispatcher.waiting_s("0") == 21);
  BOOST_TEST(next_op(dispatcher, "0") == "a");
  BOOST_TEST(next_op(dispatcher, "1") == "d");
  BOOST_TEST(next_op(dispatcher, "1") == "c");
  BOOST_TEST(next_op(dispatcher, "0") == "b");
  BOOST_TEST(next_op(dispatcher, "0") == "");
  BOOST_TEST(next_op(dispatcher, "nowhere") == "");
}

BOOST_AUTO_TEST_CASE(another_model_or_a_static_plan_takes_nothing) {
  Dispatcher models(two_queues, {{"0", "H200"}, {"1", "H100"}});
  BOOST_TEST(next_op(models, "1") == "d");
  BOOST_TEST(next_op(models, "1") == "");
  Dispatcher unnamed(two_queues, {});
  BOOST_TEST(next_op(unnamed, "1") == "d");
  BOOST_TEST(next_op(unnamed, "1") == "");
  Dispatcher kept(two_queues, {{"0", "H200"}, {"1", "H200"}}, true);
  BOOST_TEST(next_op(kept, "1") == "d");
  BOOST_TEST(next_op(kept, "1") == "");
}

BOOST_AUTO_TEST_CASE(a_device_outside_the_plan_helps) {
  Dispatcher dispatcher(two_queues, {{"0", "H200"}, {"1", "H200"}, {"2", "H200"}});
  BOOST_TEST(next_op(dispatcher, "2") == "a");
  BOOST_TEST(next_op(dispatcher, "2") == "c");
}

BOOST_AUTO_TEST_CASE(others_take_over_from_a_lost_device) {
  Dispatcher dispatcher(two_queues, {{"0", "H200"}, {"1", "H200"}});
  auto running = dispatcher.next("0");
  dispatcher.put_back(*running);
  BOOST_TEST(dispatcher.device_lost("0").empty());
  BOOST_TEST(next_op(dispatcher, "0") == "");
  BOOST_TEST(next_op(dispatcher, "1") == "d");
  BOOST_TEST(next_op(dispatcher, "1") == "a");
  // Now the last one goes as well: what still waits has nobody.
  const auto stranded = dispatcher.device_lost("1");
  BOOST_TEST(stranded.size() == 2U);
  BOOST_TEST(dispatcher.waiting() == 0U);
}

BOOST_AUTO_TEST_CASE(without_a_helper_the_rows_come_back) {
  Dispatcher other_model(two_queues, {{"0", "H200"}, {"1", "H100"}});
  BOOST_TEST(other_model.device_lost("0").size() == 3U);
  BOOST_TEST(next_op(other_model, "1") == "d");
  Dispatcher kept(two_queues, {{"0", "H200"}, {"1", "H200"}}, true);
  BOOST_TEST(kept.device_lost("1").size() == 1U);
  BOOST_TEST(kept.waiting() == 3U);
  BOOST_TEST(kept.device_lost("nowhere").empty());
}

BOOST_AUTO_TEST_CASE(simulation_of_weights_that_are_off) {
  // 120 operators on 8 devices; every operator really takes up to 30 % more or less than planned.
  std::mt19937_64 random(7);
  std::uniform_real_distribution<double> weight(5, 60);
  std::uniform_real_distribution<double> off(0.7, 1.3);
  double kept_sum = 0;
  double taken_sum = 0;
  constexpr int campaigns = 20;
  for (int i = 0; i < campaigns; ++i) {
    std::vector<std::string> names;
    std::vector<double> real_s;
    names.reserve(120);
    for (int op = 0; op < 120; ++op) names.push_back("op" + std::to_string(op));
    std::vector<Job> jobs;
    jobs.reserve(names.size());
    for (const auto& name : names) jobs.push_back({name, weight(random)});
    double sum_s = 0;
    for (const auto& job : jobs)
      real_s.push_back(job.weight_s * off(random)), sum_s += real_s.back();
    const std::vector<Card> cards(8);
    std::vector<PlanRow> plan;
    for (const auto& share : partition(jobs, cards, {}).shares)
      plan.push_back(row(std::to_string(share.card), names[share.job], jobs[share.job].weight_s));
    std::map<std::string, std::string> models;
    std::vector<std::string> devices;
    for (int d = 0; d < 8; ++d) models[devices.emplace_back(std::to_string(d))] = "one";
    const auto real = [&](const PlanRow& r) {
      return real_s[static_cast<std::size_t>(std::stoi(r.op.substr(2)))];
    };
    const auto kept = simulated_end_s({plan, models, true}, devices, real);
    const auto taken = simulated_end_s({plan, models, false}, devices, real);
    BOOST_TEST(taken >= sum_s / 8 * (1 - 1e-12));
    kept_sum += kept / (sum_s / 8);
    taken_sum += taken / (sum_s / 8);
  }
  BOOST_TEST(taken_sum / campaigns < 1.02);
  BOOST_TEST(kept_sum / campaigns > 1.04);
}

BOOST_AUTO_TEST_SUITE_END()
