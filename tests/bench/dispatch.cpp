// Fixed against dynamic dispatch when weights are off: mean and worst end of a campaign over the
// lower bound of its real durations (ideal share or longest operator), as rows. Simulated, seeded.

#include <algorithm>
#include <iostream>
#include <random>

#include "base/number.hpp"
#include "campaign/dispatch.hpp"
#include "campaign/partition.hpp"

namespace {

using namespace zl::campaign;

constexpr std::size_t operators = 226;
constexpr std::size_t cards = 8;
constexpr int campaigns = 200;

struct Ends {
  double fixed = 0, dynamic = 0;  ///< over the lower bound
};

/// One campaign whose operators really take up to `off` more or less than planned.
Ends simulate(double off, std::mt19937_64& random) {
  std::lognormal_distribution<double> weight(3, 0.8);
  std::uniform_real_distribution<double> factor(1 - off, 1 + off);
  std::vector<std::string> names;
  for (std::size_t i = 0; i < operators; ++i) names.push_back("op" + std::to_string(i));
  std::vector<Job> jobs;
  std::map<std::string, double> real_s;
  double sum_s = 0;
  double longest_s = 0;
  for (const auto& name : names) {
    jobs.push_back({name, weight(random)});
    const double taken_s = jobs.back().weight_s * factor(random);
    real_s[name] = taken_s;
    sum_s += taken_s;
    longest_s = std::max(longest_s, taken_s);
  }
  std::map<std::string, std::string> models;
  std::vector<std::string> devices;
  for (std::size_t i = 0; i < cards; ++i) models[devices.emplace_back(std::to_string(i))] = "one";
  std::vector<PlanRow> plan;
  for (const auto& share : partition(jobs, std::vector<Card>(cards), {}).shares) {
    PlanRow row;
    row.device = devices[share.card];
    row.op = names[share.job];
    row.estimate_s = jobs[share.job].weight_s;
    plan.push_back(std::move(row));
  }
  const auto real = [&](const PlanRow& row) { return real_s.at(row.op); };
  const double bound_s = std::max(sum_s / static_cast<double>(cards), longest_s);
  return {simulated_end_s({plan, models, true}, devices, real) / bound_s,
          simulated_end_s({plan, models, false}, devices, real) / bound_s};
}

}  // namespace

int main() {
  std::mt19937_64 random(2026);
  std::cout << "off_pct\tcampaigns\tfixed_mean\tfixed_worst\tdynamic_mean\tdynamic_worst\n";
  for (const int off_pct : {0, 10, 30, 60}) {
    Ends sum;
    Ends worst;
    for (int i = 0; i < campaigns; ++i) {
      const auto ends = simulate(off_pct / 100.0, random);
      sum = {sum.fixed + ends.fixed, sum.dynamic + ends.dynamic};
      worst = {std::max(worst.fixed, ends.fixed), std::max(worst.dynamic, ends.dynamic)};
    }
    std::cout << off_pct << '\t' << campaigns;
    for (const double value :
         {sum.fixed / campaigns, worst.fixed, sum.dynamic / campaigns, worst.dynamic})
      std::cout << '\t' << zl::format_fixed(value, 3);
    std::cout << '\n';
  }
}
