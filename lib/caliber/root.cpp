#include <map>

#include "caliber/compare.hpp"
#include "campaign/run_folder.hpp"

namespace zl::caliber {

namespace {

using campaign::Side;

struct Round {
  std::filesystem::path before, after;
};

void compare_rounds(const std::string& op, const std::map<unsigned, Round>& rounds,
                    const Rules& rules, std::vector<RootComparison>& all) {
  auto over_rounds = rules;
  over_rounds.model_only = true;
  const Round* first = nullptr;
  for (const auto& [number, round] : rounds) {
    if (round.before.empty() || round.after.empty()) continue;
    all.push_back({op, number, "before:after", compare_folders(round.before, round.after, rules)});
    if (first == nullptr) {
      first = &round;
      continue;
    }
    all.push_back(
        {op, number, "before:before", compare_folders(first->before, round.before, over_rounds)});
    all.push_back(
        {op, number, "after:after", compare_folders(first->after, round.after, over_rounds)});
  }
}

}  // namespace

std::vector<RootComparison> compare_root(const std::filesystem::path& root, const Rules& rules) {
  std::map<std::string, std::map<unsigned, Round>> operators;
  for (const auto& [cell, path] : campaign::list_cells(root)) {
    auto& round = operators[cell.op][cell.round];
    (cell.side == Side::before ? round.before : round.after) = path;
  }
  std::vector<RootComparison> all;
  for (const auto& [op, rounds] : operators) compare_rounds(op, rounds, rules, all);
  return all;
}

}  // namespace zl::caliber
