#include <boost/test/unit_test.hpp>

#include "caliber/axes.hpp"
#include "caliber/compare.hpp"

using namespace zl;
using namespace zl::caliber;

namespace {

formats::RunIdentity identity() {
  formats::RunIdentity identity;
  identity.op = "topk";
  identity.backend = "cuda";
  identity.device = {"0", "GPU-1", "H200"};
  identity.host = "h";
  identity.timer = "graph";
  identity.bench_level = "core";
  identity.shape_mode = "file";
  identity.shape_file_sha256 = "aa";
  identity.tuner_cache = "isolated";
  identity.autotune_mode = "record";
  identity.direct_repeat = 1;
  return identity;
}

Verdict verdict_of(const Comparison& comparison, const std::string& name) {
  for (const auto& axis : comparison.axes)
    if (axis.axis == name) return axis.verdict;
  return Verdict::same;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(caliber)

BOOST_AUTO_TEST_CASE(each_axis_alone_is_a_mismatch) {
  using Change = void (*)(formats::RunIdentity&);
  const std::pair<const char*, Change> changes[] = {
      {"backend", [](auto& i) { i.backend = "musa"; }},
      {"device", [](auto& i) { i.device.uuid = "GPU-2"; }},
      {"timer", [](auto& i) { i.timer = "direct"; }},
      {"bench_level", [](auto& i) { i.bench_level = "comprehensive"; }},
      {"shape_mode", [](auto& i) { i.shape_file_sha256 = "bb"; }},
      {"tuner_cache", [](auto& i) { i.tuner_cache = "shared"; }},
      {"direct_repeat", [](auto& i) { i.direct_repeat = 3; }}};
  for (const auto& [axis, change] : changes) {
    auto after = identity();
    after.autotune_mode = "replay";
    BOOST_TEST(compare(identity(), after).comparable());
    change(after);
    const auto result = compare(identity(), after);
    BOOST_TEST(!result.comparable(), axis);
    BOOST_TEST((verdict_of(result, axis) == Verdict::differs), axis);
    BOOST_TEST(caliber_hash(identity()) != caliber_hash(after));
    Rules rules;
    rules.ignored = {axis};
    BOOST_TEST(compare(identity(), after, rules).comparable(), axis);
    BOOST_TEST(!explain(axis).empty(), axis);
  }
}

BOOST_AUTO_TEST_CASE(every_difference_is_named_not_the_first_only) {
  auto after = identity();
  after.autotune_mode = "replay";
  after.timer = "direct";
  after.direct_repeat = 3;
  const auto line = mismatch_line(compare(identity(), after));
  BOOST_TEST(line ==
             "!!! [caliber] timer differs: graph before, direct after; "
             "direct_repeat differs: 1 before, 3 after");
}

BOOST_AUTO_TEST_CASE(autotune_mode_has_a_rule_of_its_own) {
  const auto judged = [](const std::string& before, const std::string& after) {
    auto a = identity(), b = identity();
    a.autotune_mode = before;
    b.autotune_mode = after;
    return verdict_of(compare(a, b), "autotune_mode");
  };
  BOOST_TEST((judged("record", "replay") == Verdict::same));
  BOOST_TEST((judged("replay", "record") == Verdict::same));
  BOOST_TEST((judged("replay", "replay") == Verdict::same));
  BOOST_TEST((judged("off", "off") == Verdict::same));
  BOOST_TEST((judged("", "") == Verdict::same));
  BOOST_TEST((judged("record", "record") == Verdict::refused));
  BOOST_TEST((judged("record", "off") == Verdict::differs));
  BOOST_TEST((judged("", "replay") == Verdict::differs));
}

BOOST_AUTO_TEST_CASE(a_device_is_its_uuid_else_host_and_index) {
  auto after = identity();
  after.autotune_mode = "replay";
  after.device.index = "7";
  BOOST_TEST(compare(identity(), after).comparable());
  after.device.uuid.clear();
  BOOST_TEST(!compare(identity(), after).comparable());
  after.device.index = "0";
  BOOST_TEST(compare(identity(), after).comparable());
  after.host = "other";
  BOOST_TEST(!compare(identity(), after).comparable());
}

BOOST_AUTO_TEST_CASE(other_facts_warn_and_tolerances_hold) {
  auto after = identity();
  after.autotune_mode = "replay";
  after.driver = "580.2";
  after.libraries["triton"] = "3.6.0";
  const auto result = compare(identity(), after);
  BOOST_TEST(result.comparable());
  BOOST_TEST((verdict_of(result, "driver") == Verdict::warning));
  BOOST_TEST((verdict_of(result, "library.triton") == Verdict::warning));
  after.direct_repeat = 11;
  auto before = identity();
  before.direct_repeat = 10;
  Rules rules;
  rules.tolerance_pct["direct_repeat"] = 10;
  BOOST_TEST((verdict_of(compare(before, after, rules), "direct_repeat") == Verdict::tolerated));
  rules.tolerance_pct["direct_repeat"] = 9;
  BOOST_TEST(!compare(before, after, rules).comparable());
  before.tuner_cache = after.tuner_cache = "shared";
  BOOST_TEST((verdict_of(compare(before, after), "recording") == Verdict::warning));
}

BOOST_AUTO_TEST_CASE(a_missing_identity_is_a_mismatch) {
  const auto result = compare_folders("/nonexistent/a", "/nonexistent/b");
  BOOST_TEST(!result.comparable());
  BOOST_TEST(result.axes.at(0).before == "missing");
}

BOOST_AUTO_TEST_SUITE_END()
