#include "ir/compare.hpp"

#include <algorithm>
#include <iterator>
#include <set>
#include <tuple>

#include "base/error.hpp"
#include "base/text.hpp"

namespace zl::ir {

namespace {

struct Named {
  std::string name;
  const Kernel* kernel = nullptr;
};

std::vector<Named> by_name(const Tree& tree, bool one_name) {
  std::vector<Named> named;
  named.reserve(tree.kernels.size());
  for (const auto& kernel : tree.kernels)
    named.push_back({one_name ? tree.kernels.front().path : kernel_name(kernel.path), &kernel});
  std::sort(named.begin(), named.end(), [](const Named& a, const Named& b) {
    return std::tie(a.name, a.kernel->facts.digest) < std::tie(b.name, b.kernel->facts.digest);
  });
  return named;
}

using Group = std::vector<const Kernel*>;

void add_differences(const std::string& name, Group before, Group after, Comparison& result) {
  const auto smaller = [](const Kernel* a, const Kernel* b) {
    return std::tie(a->facts.bytes, a->facts.conversions, a->path) <
           std::tie(b->facts.bytes, b->facts.conversions, b->path);
  };
  std::sort(before.begin(), before.end(), smaller);
  std::sort(after.begin(), after.end(), smaller);
  for (std::size_t i = 0; i < std::max(before.size(), after.size()); ++i) {
    Difference difference;
    difference.name = name;
    if (i < before.size()) difference.before = before[i];
    if (i < after.size()) difference.after = after[i];
    difference.change = difference.after == nullptr    ? Change::only_before
                        : difference.before == nullptr ? Change::only_after
                                                       : Change::changed;
    result.differences.push_back(std::move(difference));
  }
}

std::string plural(std::size_t count, const char* what) {
  return std::to_string(count) + " " + what + (count == 1 ? "" : "s");
}

std::string describe(const Comparison& comparison) {
  std::vector<std::string> parts;
  for (const auto change : {Change::changed, Change::only_before, Change::only_after}) {
    const auto count = comparison.count(change);
    if (count == 0) continue;
    const char* words = change == Change::changed       ? " changed"
                        : change == Change::only_before ? " only before"
                                                        : " only after";
    parts.push_back((parts.empty() ? plural(count, "kernel") : std::to_string(count)) + words);
  }
  std::vector<std::string> names;
  for (const auto& difference : comparison.differences) {
    const auto name = printable(difference.name);
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
                  [&](const Difference& d) { return !one_name && !names.contains(d.name); });
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

std::size_t Comparison::count(Change change) const {
  return static_cast<std::size_t>(std::count_if(differences.begin(), differences.end(),
                                                [&](const auto& d) { return d.change == change; }));
}

Comparison compare_trees(const Tree& before, const Tree& after) {
  if (before.criterion.text() != after.criterion.text())
    throw usage_error("trees read by different criteria cannot be compared: " +
                      before.criterion.text() + " and " + after.criterion.text());
  const bool one_name =
      before.one_file && after.one_file;  // two files are one kernel, whatever their names
  auto a = by_name(before, one_name);
  auto b = by_name(after, one_name);
  if (one_name && !a.empty() && !b.empty()) b.front().name = a.front().name;
  Comparison result;
  std::size_t i = 0, j = 0;
  while (i < a.size() || j < b.size()) {
    const auto name =
        j == b.size() || (i < a.size() && a[i].name <= b[j].name) ? a[i].name : b[j].name;
    Group only_a, only_b;
    const auto has_a = [&] { return i < a.size() && a[i].name == name; };
    const auto has_b = [&] { return j < b.size() && b[j].name == name; };
    while (has_a() || has_b()) {
      if (!has_b() || (has_a() && a[i].kernel->facts.digest < b[j].kernel->facts.digest)) {
        only_a.push_back(a[i++].kernel);
      } else if (!has_a() || b[j].kernel->facts.digest < a[i].kernel->facts.digest) {
        only_b.push_back(b[j++].kernel);
      } else {
        ++result.same, ++i, ++j;
      }
    }
    add_differences(name, std::move(only_a), std::move(only_b), result);
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
        found.push_back(std::string(key) + "/" + kernel.path.substr(kernel.path.rfind('/') + 1));
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
