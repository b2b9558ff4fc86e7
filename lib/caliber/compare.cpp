#include "caliber/compare.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "base/error.hpp"
#include "base/number.hpp"
#include "caliber/axes.hpp"

namespace zl::caliber {

using formats::RunIdentity;

const char* verdict_name(Verdict verdict) {
  switch (verdict) {
    case Verdict::same:
      return "same";
    case Verdict::differs:
      return "differs";
    case Verdict::refused:
      return "refused";
    case Verdict::tolerated:
      return "tolerated";
    case Verdict::ignored:
      return "ignored";
    case Verdict::warning:
      return "warning";
  }
  return "";
}

bool Comparison::comparable() const {
  return std::none_of(axes.begin(), axes.end(), [](const AxisVerdict& axis) {
    return axis.verdict == Verdict::differs || axis.verdict == Verdict::refused;
  });
}

bool Comparison::warns() const {
  return std::any_of(axes.begin(), axes.end(),
                     [](const AxisVerdict& axis) { return axis.verdict == Verdict::warning; });
}

namespace {

bool within(const std::string& before, const std::string& after, double tolerance_pct) {
  const auto a = parse_double(before), b = parse_double(after);
  return a && b && std::fabs(*b - *a) * 100 <= tolerance_pct * std::fabs(*a);
}

Verdict settle(const AxisVerdict& axis, Verdict found, const Rules& rules) {
  if (found == Verdict::same) return found;
  if (rules.ignored.contains(axis.axis)) return Verdict::ignored;
  const auto tolerance = rules.tolerance_pct.find(axis.axis);
  if (tolerance != rules.tolerance_pct.end() && within(axis.before, axis.after, tolerance->second))
    return Verdict::tolerated;
  return found;
}

Verdict autotune_verdict(const std::string& before, const std::string& after) {
  if (before == "record" && after == "record") return Verdict::refused;
  const auto tuned = [](const std::string& mode) { return mode == "record" || mode == "replay"; };
  return before == after || (tuned(before) && tuned(after)) ? Verdict::same : Verdict::differs;
}

bool records_on_shared(const RunIdentity& identity) {
  return identity.autotune_mode == "record" && identity.tuner_cache == "shared";
}

/// Facts of both sides by name; one that a side lacks is "" there.
std::vector<AxisVerdict> joined(const std::vector<Fact>& before, const std::vector<Fact>& after) {
  std::vector<AxisVerdict> both;
  for (const auto& fact : before) both.push_back({fact.name, fact.value, {}, Verdict::same});
  for (const auto& fact : after) {
    const auto found = std::find_if(
        both.begin(), both.end(), [&](const AxisVerdict& axis) { return axis.axis == fact.name; });
    if (found != both.end())
      found->after = fact.value;
    else
      both.push_back({fact.name, {}, fact.value, Verdict::same});
  }
  return both;
}

std::vector<Fact> axes_for(const RunIdentity& identity, const RunIdentity& other,
                           const Rules& rules) {
  // Where one side does not know its UUID, host and index are what both can be judged by.
  auto judged = identity;
  if (other.device.uuid.empty()) judged.device.uuid.clear();
  return axes_of(judged, rules.model_only);
}

}  // namespace

Comparison compare(const RunIdentity& before, const RunIdentity& after, const Rules& rules) {
  Comparison result;
  for (auto& axis : joined(axes_for(before, after, rules), axes_for(after, before, rules))) {
    axis.verdict =
        settle(axis, axis.before == axis.after ? Verdict::same : Verdict::differs, rules);
    result.axes.push_back(std::move(axis));
  }
  AxisVerdict autotune{"autotune_mode", before.autotune_mode, after.autotune_mode, Verdict::same};
  // Over rounds the operator's one recording stands against replays and itself.
  if (!rules.model_only)
    autotune.verdict =
        settle(autotune, autotune_verdict(before.autotune_mode, after.autotune_mode), rules);
  result.axes.push_back(std::move(autotune));
  if (records_on_shared(before) || records_on_shared(after))
    result.axes.push_back({"recording", before.autotune_mode + " on " + before.tuner_cache,
                           after.autotune_mode + " on " + after.tuner_cache, Verdict::warning});
  for (auto& fact : joined(watched_of(before), watched_of(after))) {
    if (fact.before == fact.after) continue;
    fact.verdict = rules.ignored.contains(fact.axis) ? Verdict::ignored : Verdict::warning;
    result.axes.push_back(std::move(fact));
  }
  return result;
}

namespace {

struct Loaded {
  std::optional<RunIdentity> identity;
  std::string problem;
};

Loaded load(const std::filesystem::path& folder) {
  std::error_code ec;
  if (!std::filesystem::exists(folder / formats::run_identity_file, ec)) return {{}, "missing"};
  try {
    return {formats::read_run_identity(folder), "present"};
  } catch (const Error& error) {
    return {{}, error.what()};
  }
}

}  // namespace

Comparison compare_folders(const std::filesystem::path& before, const std::filesystem::path& after,
                           const Rules& rules) {
  const auto first = load(before), second = load(after);
  if (first.identity && second.identity) return compare(*first.identity, *second.identity, rules);
  return {{{"identity", first.problem, second.problem, Verdict::differs}}};
}

namespace {

std::string told(const AxisVerdict& axis) {
  return axis.axis + " differs: " + (axis.before.empty() ? "(none)" : axis.before) + " before, " +
         (axis.after.empty() ? "(none)" : axis.after) + " after";
}

}  // namespace

std::string mismatch_line(const Comparison& comparison) {
  std::string line;
  for (const auto& axis : comparison.axes) {
    if (axis.verdict != Verdict::differs && axis.verdict != Verdict::refused) continue;
    line += line.empty() ? "!!! [caliber] " : "; ";
    line += axis.verdict == Verdict::refused
                ? axis.axis + " " + axis.before + "/" + axis.after + " is refused"
                : told(axis);
  }
  return line;
}

std::string warning_line(const Comparison& comparison) {
  std::string line;
  for (const auto& axis : comparison.axes) {
    if (axis.verdict != Verdict::warning) continue;
    line += line.empty() ? "warning: " : "; ";
    line += axis.axis == "recording" ? "tunes on a shared cache" : told(axis);
  }
  return line;
}

}  // namespace zl::caliber
