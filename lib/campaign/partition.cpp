#include "campaign/partition.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "base/error.hpp"
#include "campaign/partition_split.hpp"

namespace zl::campaign {

std::uint64_t name_hash(std::string_view name) {
  std::uint64_t hash = 0xCBF29CE484222325U;
  for (const char c : name) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001B3U;
  return hash;
}

WholeWeights whole_weights(std::span<const Job> jobs, unsigned rounds) {
  double sum_s = 0;
  for (const auto& job : jobs) sum_s += job.weight_s * rounds;
  WholeWeights whole{{}, 1e-6};
  while (sum_s / whole.unit_s > 0x1p52) whole.unit_s *= 10;
  Load common = 0;
  whole.weights.reserve(jobs.size());
  for (const auto& job : jobs) {
    whole.weights.push_back(std::llround(job.weight_s / whole.unit_s));
    common = std::gcd(common, whole.weights.back());
  }
  if (common > 1) {
    for (auto& weight : whole.weights) weight /= common;
    whole.unit_s *= static_cast<double>(common);
  }
  return whole;
}

namespace {

/// Cards of one model, and the operators that go to them when rounds are split.
struct Group {
  std::vector<std::uint32_t> cards, jobs;
  Load load = 0;
};

/// Longest first onto the model whose cards are least loaded on average.
std::vector<Group> group_by_model(std::span<const Card> cards, std::span<const Load> weights) {
  std::map<std::string_view, std::size_t> of_model;
  std::vector<Group> groups;
  for (std::uint32_t card = 0; card < cards.size(); ++card) {
    const auto [at, fresh] = of_model.emplace(cards[card].model, groups.size());
    if (fresh) groups.emplace_back();
    groups[at->second].cards.push_back(card);
  }
  for (const auto job : longest_first_order(weights)) {
    const auto mean_after = [&](const Group& group) {
      return static_cast<double>(group.load + weights[job]) /
             static_cast<double>(group.cards.size());
    };
    auto& group = *std::min_element(
        groups.begin(), groups.end(),
        [&](const auto& a, const auto& b) { return mean_after(a) < mean_after(b); });
    group.jobs.push_back(job);
    group.load += weights[job];
  }
  return groups;
}

/// What an algorithm decides, before it is laid out in time.
struct Decision {
  std::vector<Piece> pieces;
  Load lower_bound = 0;
  bool optimal = false;
};

Decision whole_operators(const WholeWeights& whole, std::span<const Job> jobs, std::size_t cards,
                         const PartitionOptions& options) {
  BestSchedule found{{}, lower_bound(whole.weights, cards)};
  if (options.algorithm == Algorithm::best) {
    found = best_schedule(whole.weights, cards, options.expired);
  } else if (options.algorithm == Algorithm::longest_first) {
    found.schedule = longest_first(whole.weights, cards);
  } else {
    for (const auto& job : jobs)
      found.schedule.machine_of.push_back(static_cast<std::uint32_t>(name_hash(job.op) % cards));
    found.schedule.makespan = makespan_of(whole.weights, found.schedule.machine_of, cards);
  }
  Decision decision{{}, found.lower_bound * options.rounds, found.proven()};
  decision.pieces.reserve(jobs.size());
  for (std::uint32_t job = 0; job < jobs.size(); ++job)
    decision.pieces.push_back({found.schedule.machine_of[job], job, options.rounds});
  return decision;
}

Decision split_operators(const WholeWeights& whole, std::span<const Card> cards,
                         const PartitionOptions& options) {
  const auto groups = group_by_model(cards, whole.weights);
  Decision decision;
  Load makespan = 0;
  for (const auto& group : groups) {
    if (group.jobs.empty()) continue;
    std::vector<Load> weights;
    for (const auto job : group.jobs) weights.push_back(whole.weights[job]);
    const auto split = split_schedule(weights, options.rounds, group.cards.size(),
                                      options.algorithm == Algorithm::best, options.expired);
    makespan = std::max(makespan, split.makespan);
    for (const auto& piece : split.pieces)
      decision.pieces.push_back({group.cards[piece.machine], group.jobs[piece.job], piece.rounds});
    decision.lower_bound = split.lower_bound;
  }
  // Which operator goes to which model is a heuristic: with several, only the mean and the longest
  // round bound all choices.
  if (groups.size() > 1) {
    const auto n = static_cast<Load>(cards.size());
    const Load sum = std::accumulate(whole.weights.begin(), whole.weights.end(), Load{0});
    decision.lower_bound = std::max((sum * options.rounds + n - 1) / n,
                                    *std::max_element(whole.weights.begin(), whole.weights.end()));
  }
  decision.optimal = makespan == decision.lower_bound;
  return decision;
}

/// Orders each card's pieces longest first, numbers split rounds and adds the times up.
void lay_out(Partition& result, std::span<const Piece> pieces, std::span<const Job> jobs,
             std::size_t cards) {
  using Timed = std::pair<double, const Piece*>;
  std::vector<std::vector<Timed>> queues(cards);
  for (const auto& piece : pieces)
    queues[piece.machine].emplace_back(piece.rounds * jobs[piece.job].weight_s, &piece);
  std::vector<unsigned> rounds_given(jobs.size());
  std::vector<unsigned> pieces_of(jobs.size());
  result.shares.reserve(pieces.size());
  for (auto& queue : queues) {
    std::stable_sort(queue.begin(), queue.end(),
                     [](const Timed& a, const Timed& b) { return a.first > b.first; });
    double load_s = 0;
    for (const auto& [length_s, piece] : queue) {
      auto& given = rounds_given[piece->job];
      result.shares.push_back({piece->machine, piece->job, given + 1, piece->rounds, load_s});
      load_s += length_s;
      given += piece->rounds;
      if (++pieces_of[piece->job] == 2) ++result.split_jobs;
    }
    result.loads_s.push_back(load_s);
  }
  result.makespan_s = *std::max_element(result.loads_s.begin(), result.loads_s.end());
}

double hash_makespan(std::span<const Job> jobs, std::size_t cards, unsigned rounds) {
  std::vector<double> loads(cards);
  for (const auto& job : jobs) loads[name_hash(job.op) % cards] += job.weight_s * rounds;
  return *std::max_element(loads.begin(), loads.end());
}

}  // namespace

Partition partition(std::span<const Job> jobs, std::span<const Card> cards,
                    const PartitionOptions& options) {
  if (cards.empty()) throw usage_error("no devices to partition onto");
  if (options.split_rounds && options.algorithm == Algorithm::hash)
    throw usage_error("a partition by hash cannot split rounds");
  Partition result;
  if (jobs.empty()) {
    result.loads_s.assign(cards.size(), 0);
    result.optimal = true;
    return result;
  }
  const auto whole = whole_weights(jobs, options.rounds);
  const auto decision = options.split_rounds ? split_operators(whole, cards, options)
                                             : whole_operators(whole, jobs, cards.size(), options);
  lay_out(result, decision.pieces, jobs, cards.size());
  result.optimal = decision.optimal;
  result.lower_bound_s = decision.optimal
                             ? result.makespan_s
                             : static_cast<double>(decision.lower_bound) * whole.unit_s;
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    result.ideal_s += jobs[i].weight_s * options.rounds / static_cast<double>(cards.size());
    if (jobs[i].weight_s > jobs[result.heaviest].weight_s) result.heaviest = i;
  }
  result.floor_s = jobs[result.heaviest].weight_s * options.rounds;
  result.hash_makespan_s = hash_makespan(jobs, cards.size(), options.rounds);
  return result;
}

}  // namespace zl::campaign
