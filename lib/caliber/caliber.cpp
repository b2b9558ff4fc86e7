#include "caliber/caliber.hpp"

#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "base/number.hpp"
#include "base/text.hpp"
#include "ir/digest.hpp"

namespace zl::caliber {

using formats::RunIdentity;

const std::vector<std::string>& axes() {
  static const std::vector<std::string> names = {"backend",       "device",       "timer",
                                                 "bench_level",   "shape_mode",   "tuner_cache",
                                                 "direct_repeat", "autotune_mode"};
  return names;
}

std::string_view effect_of(std::string_view axis) {
  static const std::map<std::string_view, std::string_view> effects = {
      {"backend", "compares two vendors' cards and compilers, not the switch"},
      {"device", "holds the difference between two cards: clocks, cooling, bins"},
      {"timer",
       "replication_pad3d +43 % by one timer, +124.5 % by the other; batch_norm 16x16x8x48 "
       "0.0758 ms direct, 0.0089 ms captured (S5000)"},
      {"bench_level",
       "other shapes; comprehensive prints some shapes twice, so that occurrences pair wrongly"},
      {"shape_mode",
       "two published attempts timed a wrong shape: rows of one printed shape may stand for "
       "different inputs"},
      {"tuner_cache",
       "mm compiled 945 variants with a shared cache, 33 with an inherited one; the first side's "
       "winner then serves both, and a real difference vanishes"},
      {"direct_repeat", "median over more or fewer timings: other noise, other warm-up share"},
      {"autotune_mode",
       "router_gemm -8.2 %, record against record: each side had chosen its own configuration"}};
  const auto found = effects.find(axis);
  return found == effects.end() ? std::string_view() : found->second;
}

namespace {

std::string repeat_text(const RunIdentity& identity) {
  return identity.direct_repeat ? std::to_string(*identity.direct_repeat) : "";
}

AxisRow compare_texts(const std::string& axis, const std::string& before, const std::string& after,
                      const Rules& rules) {
  AxisRow row{axis, before, after, verdict::same};
  if (before == after) return row;
  row.verdict = rules.ignored.contains(axis) ? verdict::ignored : verdict::differs;
  const auto tolerance = rules.tolerance_pct.find(axis);
  if (tolerance == rules.tolerance_pct.end()) return row;
  const auto a = parse_double(before), b = parse_double(after);
  if (a && b && std::abs(*a - *b) * 100 <= tolerance->second * std::max(std::abs(*a), std::abs(*b)))
    row.verdict = verdict::tolerated;
  return row;
}

AxisRow compare_devices(const RunIdentity& before, const RunIdentity& after, const Rules& rules) {
  const bool by_uuid = !before.device.uuid.empty() && !after.device.uuid.empty();
  const auto text = [&](const RunIdentity& identity) {
    return by_uuid ? identity.device.uuid : identity.host + ":" + identity.device.index;
  };
  return compare_texts("device", text(before), text(after), rules);
}

AxisRow compare_shapes(const RunIdentity& before, const RunIdentity& after, const Rules& rules) {
  auto row = compare_texts("shape_mode", before.shape_mode, after.shape_mode, rules);
  const auto& a = before.shape_file_sha256;
  const auto& b = after.shape_file_sha256;
  if (row.verdict != verdict::same || a.empty() || b.empty() || a == b) return row;
  // The same mode over two shape files is two sets of shapes.
  return compare_texts("shape_mode", row.before + " sha256 " + a.substr(0, 12),
                       row.after + " sha256 " + b.substr(0, 12), rules);
}

AxisRow compare_tuning(const RunIdentity& before, const RunIdentity& after, const Rules& rules) {
  const auto& a = before.autotune_mode;
  const auto& b = after.autotune_mode;
  auto row = compare_texts("autotune_mode", a, b, rules);
  if ((a == "record" && b == "replay") || (a == "replay" && b == "record"))
    row.verdict = verdict::normal;
  else if (a == "record" && b == "record")
    row.verdict = rules.ignored.contains("autotune_mode") ? verdict::ignored : verdict::refused;
  return row;
}

void append_warnings(const RunIdentity& before, const RunIdentity& after,
                     std::vector<AxisRow>& rows) {
  const auto warn = [&](const std::string& name, const std::string& a, const std::string& b) {
    if (a != b) rows.push_back({name, a, b, verdict::warning});
  };
  const auto warn_all = [&](const auto& a, const auto& b) {
    for (const auto& [name, value] : a) warn(name, value, b.contains(name) ? b.at(name) : "");
    for (const auto& [name, value] : b)
      if (!a.contains(name)) warn(name, "", value);
  };
  warn("driver", before.driver, after.driver);
  warn_all(before.libraries, after.libraries);
  warn_all(before.parameters, after.parameters);
  const bool recording = before.autotune_mode == "record" || after.autotune_mode == "record";
  if (recording && (before.tuner_cache == "shared" || after.tuner_cache == "shared"))
    rows.push_back({"recording on a shared tuner cache", before.tuner_cache, after.tuner_cache,
                    verdict::warning});
}

std::vector<AxisRow> compare_common(const RunIdentity& before, const RunIdentity& after,
                                    const Rules& rules) {
  return {compare_texts("backend", before.backend, after.backend, rules),
          compare_texts("timer", before.timer, after.timer, rules),
          compare_texts("bench_level", before.bench_level, after.bench_level, rules),
          compare_shapes(before, after, rules),
          compare_texts("tuner_cache", before.tuner_cache, after.tuner_cache, rules),
          compare_texts("direct_repeat", repeat_text(before), repeat_text(after), rules)};
}

const std::string& known_axis(const std::string& name) {
  const auto& names = axes();
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end())
    throw usage_error("no axis " + in_quotes(name) + "; the axes are: " + join(names, " "));
  return *found;
}

}  // namespace

Rules parse_rules(const std::vector<std::string>& ignored,
                  const std::vector<std::string>& tolerances) {
  Rules rules;
  for (const auto& axis : ignored) rules.ignored.insert(known_axis(axis));
  for (const auto& text : tolerances) {
    const auto equals = text.find('=');
    const auto value =
        equals == std::string::npos ? std::nullopt : parse_double(text.substr(equals + 1));
    if (!value || *value < 0)
      throw usage_error("--tolerance: expected AXIS=PCT, got " + in_quotes(text));
    rules.tolerance_pct[known_axis(text.substr(0, equals))] = *value;
  }
  return rules;
}

std::vector<AxisRow> compare(const RunIdentity& before, const RunIdentity& after,
                             const Rules& rules) {
  auto rows = compare_common(before, after, rules);
  rows.insert(rows.begin() + 1, compare_devices(before, after, rules));
  rows.push_back(compare_tuning(before, after, rules));
  append_warnings(before, after, rows);
  return rows;
}

std::vector<AxisRow> compare_rounds(const RunIdentity& first, const RunIdentity& later,
                                    const Rules& rules) {
  return compare_common(first, later, rules);
}

bool comparable(const std::vector<AxisRow>& rows) {
  return std::none_of(rows.begin(), rows.end(), [](const AxisRow& row) { return row.mismatch(); });
}

std::string short_hash(const RunIdentity& identity) {
  const std::vector<std::string> parts = {
      identity.backend,           identity.timer,       identity.bench_level, identity.shape_mode,
      identity.shape_file_sha256, identity.tuner_cache, repeat_text(identity)};
  ir::Hasher hasher(0);
  hasher.add(join(parts, std::string_view("\0", 1)));
  return hasher.digest().hex().substr(0, 8);
}

}  // namespace zl::caliber
