#include "ir/compare.hpp"

#include <algorithm>
#include <iterator>
#include <set>
#include <tuple>

#include "base/error.hpp"
#include "base/text.hpp"

namespace zl::ir {

namespace {

using Group = std::vector<const Kernel*>;

/// What is left of two groups once kernels with one digest are paired off, ordered for pairing.
Group without(const Group& group, const Group& other) {
  const auto by_digest = [](const Kernel* x, const Kernel* y) {
    return x->facts.digest < y->facts.digest;
  };
  Group left;
  std::set_difference(group.begin(), group.end(), other.begin(), other.end(),
                      std::back_inserter(left), by_digest);
  std::sort(left.begin(), left.end(), [](const Kernel* x, const Kernel* y) {
    return std::tie(x->facts.bytes, x->facts.conversions, x->path) <
           std::tie(y->facts.bytes, y->facts.conversions, y->path);
  });
  return left;
}

/// Adds the differences between all kernels of one name.
void add_group(Group before, Group after, Comparison& result) {
  for (auto* group : {&before, &after})
    std::sort(group->begin(), group->end(),
              [](const Kernel* x, const Kernel* y) { return x->facts.digest < y->facts.digest; });
  const auto only_before = without(before, after), only_after = without(after, before);
  result.same += before.size() - only_before.size();
  for (std::size_t i = 0; i < std::max(only_before.size(), only_after.size()); ++i) {
    Difference difference;
    if (i < only_before.size()) difference.before = only_before[i];
    if (i < only_after.size()) difference.after = only_after[i];
    difference.change = difference.after == nullptr    ? Change::only_before
                        : difference.before == nullptr ? Change::only_after
                                                       : Change::changed;
    result.differences.push_back(difference);
  }
}

std::string describe(const Comparison& comparison) {
  std::vector<std::string> parts;
  for (const auto change : {Change::changed, Change::only_before, Change::only_after}) {
    const auto count = comparison.count(change);
    if (count == 0) continue;
    const char* words = change == Change::changed       ? " changed"
                        : change == Change::only_before ? " only before"
                                                        : " only after";
    parts.push_back((parts.empty() ? counted(count, "kernel") : std::to_string(count)) + words);
  }
  std::vector<std::string> names;
  for (const auto& difference : comparison.differences) {
    const auto name = printable(difference.name());
    if (names.empty() || names.back() != name) names.push_back(name);
  }
  const auto all = names.size();
  if (all > 3) names.resize(3);
  return join(parts, ", ") + ": " + join(names, ", ") +
         (all > 3 ? ", and " + std::to_string(all - 3) + " more" : std::string());
}

/// Where in the trees a kernel was cut short, and whether something else differs.
struct Doubt {
  std::string where;
  bool others_differ = false;
};

Doubt find_doubt(const Tree& before, const Tree& after, const Comparison& comparison) {
  Doubt doubt;
  std::set<std::string> names;
  for (const auto* tree : {&before, &after}) {
    for (const auto& kernel : tree->kernels) {
      if (kernel.facts.complete) continue;
      if (doubt.where.empty())
        doubt.where = printable(tree->path_of(kernel)) +
                      (kernel.facts.bytes == 0 ? " is empty" : " is cut short");
      names.insert(kernel_name(kernel.path));
    }
  }
  const bool one_name = before.one_file && after.one_file;
  doubt.others_differ =
      std::any_of(comparison.differences.begin(), comparison.differences.end(),
                  [&](const Difference& d) { return !one_name && !names.contains(d.name()); });
  return doubt;
}

}  // namespace

const char* change_name(Change change) {
  switch (change) {
    case Change::changed:
      return "changed";
    case Change::only_before:
      return "only_before";
    case Change::only_after:
      return "only_after";
  }
  return "";
}

std::string Difference::name() const {
  return kernel_name((before != nullptr ? before : after)->path);
}

std::size_t Comparison::count(Change change) const {
  return static_cast<std::size_t>(std::count_if(differences.begin(), differences.end(),
                                                [&](const auto& d) { return d.change == change; }));
}

Comparison compare_trees(const Tree& before, const Tree& after) {
  if (before.criterion.text() != after.criterion.text())
    throw usage_error("trees read by different criteria cannot be compared: " +
                      before.criterion.text() + " and " + after.criterion.text());
  const auto& a = before.kernels;
  const auto& b = after.kernels;
  Comparison result;
  if (before.one_file && after.one_file && !a.empty() && !b.empty()) {
    // Two files are one kernel, whatever their names.
    add_group({&a.front()}, {&b.front()}, result);
    return result;
  }
  for (std::size_t i = 0, j = 0; i < a.size() || j < b.size();) {
    const bool from_a = j == b.size() || (i < a.size() && compare_names(a[i].path, b[j].path) <= 0);
    const auto path = from_a ? a[i].path : b[j].path;
    Group group_a, group_b;
    while (i < a.size() && compare_names(a[i].path, path) == 0) group_a.push_back(&a[i++]);
    while (j < b.size() && compare_names(b[j].path, path) == 0) group_b.push_back(&b[j++]);
    add_group(std::move(group_a), std::move(group_b), result);
  }
  return result;
}

Verdict judge(const Tree& before, const Tree& after, const Comparison& comparison) {
  Verdict verdict;
  verdict.kernels_before = before.kernels.size();
  verdict.kernels_after = after.kernels.size();
  verdict.conversions_before = before.conversions();
  verdict.conversions_after = after.conversions();
  verdict.criterion = before.criterion.text();
  if (before.kernels.empty() || after.kernels.empty()) {
    verdict.reason = !after.kernels.empty()    ? "no kernel before"
                     : !before.kernels.empty() ? "no kernel after"
                                               : "no kernel on either side";
    return verdict;
  }
  const auto doubt = find_doubt(before, after, comparison);
  if (!doubt.where.empty() && !doubt.others_differ) {
    verdict.reason = doubt.where;
    return verdict;
  }
  verdict.answer = comparison.differences.empty() ? Answer::same : Answer::different;
  if (!comparison.differences.empty()) verdict.reason = describe(comparison);
  return verdict;
}

Verdict judge(const Tree& before, const Tree& after) {
  return judge(before, after, compare_trees(before, after));
}

std::vector<std::string> shared_cache_keys(const Tree& before, const Tree& after) {
  const auto keys = [](const Tree& tree) {
    std::vector<std::string> found;
    for (const auto& kernel : tree.kernels) {
      const auto key = cache_key(kernel.path);
      if (!key.empty())
        found.push_back(std::string(key) + "/" +
                        std::string(kernel.path.substr(kernel.path.rfind('/') + 1)));
    }
    std::sort(found.begin(), found.end());
    return found;
  };
  const auto a = keys(before), b = keys(after);
  std::vector<std::string> shared;
  std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(shared));
  return shared;
}

}  // namespace zl::ir
