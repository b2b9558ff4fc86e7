#pragma once
// Operators onto devices so that the campaign ends early: longest first, by hash, or provably
// best; whole operators, or their rounds apart. Says what the result is worth.

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "campaign/schedule.hpp"

namespace zl::campaign {

/// A device that takes part. Rounds of one operator only go to devices of one model.
struct Card {
  std::string device, host, model;
};

/// An operator with what one round of it takes: both sides, in seconds, at least 0.
struct Job {
  std::string_view op;
  double weight_s = 0;
};

enum class Algorithm { longest_first, hash, best };

struct PartitionOptions {
  Algorithm algorithm = Algorithm::longest_first;
  unsigned rounds = 1;
  bool split_rounds = false;
  std::function<bool()> expired = [] { return false; };  ///< ends the search for the best
};

/// Rounds of an operator on a card.
struct Share {
  std::uint32_t card = 0, job = 0;  ///< positions in what partition() was given
  unsigned first_round = 1, rounds = 0;
  double start_s = 0;
};

struct Partition {
  std::vector<Share> shares;    ///< card by card, in the order of their start: longest first
  std::vector<double> loads_s;  ///< a card
  std::size_t split_jobs = 0;   ///< operators whose rounds went to several cards
  double makespan_s = 0;
  double lower_bound_s = 0;    ///< no partition of this kind ends before
  bool optimal = false;        ///< proven, to the microsecond an operator
  double ideal_s = 0;          ///< the sum of all, over the cards
  double floor_s = 0;          ///< the heaviest operator, whole
  std::size_t heaviest = 0;    ///< its position among the jobs
  double hash_makespan_s = 0;  ///< what a partition by the hash of the name would take
};

/// Throws Error(usage) without a card, and for split rounds with Algorithm::hash.
Partition partition(std::span<const Job> jobs, std::span<const Card> cards,
                    const PartitionOptions& options);

/// FNV-1a, 64 bits (Fowler, Noll, Vo): the hash of Algorithm::hash, the same on every machine.
std::uint64_t name_hash(std::string_view name);

/// Whole numbers in proportion to the weights: microseconds (more where their sum would not fit),
/// divided by what they have in common. `unit_s` is one of them in seconds.
struct WholeWeights {
  std::vector<Load> weights;
  double unit_s = 1;
};
WholeWeights whole_weights(std::span<const Job> jobs, unsigned rounds);

}  // namespace zl::campaign
