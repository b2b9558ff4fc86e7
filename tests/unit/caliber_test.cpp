#include <boost/test/unit_test.hpp>

#include <filesystem>

#include "base/error.hpp"
#include "base/files.hpp"
#include "caliber/check.hpp"
#include "scratch.hpp"

using namespace zl;
using namespace zl::caliber;

namespace {

formats::RunIdentity identity() {
  formats::RunIdentity made;
  made.backend = "cuda";
  made.device = {"0", "GPU-1", "H200"};
  made.timer = "cudagraph";
  made.bench_level = "core";
  made.shape_mode = "file";
  made.tuner_cache = "isolated";
  made.autotune_mode = "record";
  made.direct_repeat = 3;
  made.host = "a";
  return made;
}

std::string verdict_of(const std::vector<AxisRow>& rows, const std::string& axis) {
  for (const auto& row : rows)
    if (row.axis == axis) return row.verdict;
  return "absent";
}

}  // namespace

BOOST_AUTO_TEST_SUITE(caliber)

BOOST_AUTO_TEST_CASE(every_axis_is_compared) {
  const auto before = identity();
  auto after = identity();
  after.autotune_mode = "replay";
  BOOST_TEST(comparable(compare(before, after, {})));
  BOOST_TEST(compare(before, after, {}).size() == axes().size());
  using Member = std::string formats::RunIdentity::*;
  const std::pair<const char*, Member> members[] = {
      {"backend", &formats::RunIdentity::backend},
      {"timer", &formats::RunIdentity::timer},
      {"bench_level", &formats::RunIdentity::bench_level},
      {"shape_mode", &formats::RunIdentity::shape_mode},
      {"tuner_cache", &formats::RunIdentity::tuner_cache}};
  for (const auto& [axis, member] : members) {
    auto changed = after;
    changed.*member = "";
    const auto rows = compare(before, changed, {});
    BOOST_TEST(!comparable(rows), axis);
    BOOST_TEST(verdict_of(rows, axis) == verdict::differs);
    BOOST_TEST(comparable(compare(before, changed, parse_rules({axis}, {}))));
    BOOST_TEST(!effect_of(axis).empty());
  }
}

BOOST_AUTO_TEST_CASE(devices_by_uuid_else_by_host_and_index) {
  const auto before = identity();
  auto after = identity();
  after.autotune_mode = "replay";
  after.device.index = "5";
  BOOST_TEST(comparable(compare(before, after, {})));
  after.device.uuid = "GPU-2";
  BOOST_TEST(verdict_of(compare(before, after, {}), "device") == verdict::differs);
  after.device = {"0", "", ""};
  BOOST_TEST(comparable(compare(before, after, {})));
  after.host = "b";
  BOOST_TEST(!comparable(compare(before, after, {})));
}

BOOST_AUTO_TEST_CASE(tuning_and_numbers_have_rules_of_their_own) {
  const auto before = identity();
  auto after = identity();
  BOOST_TEST(verdict_of(compare(before, after, {}), "autotune_mode") == verdict::refused);
  after.autotune_mode = "off";
  BOOST_TEST(verdict_of(compare(before, after, {}), "autotune_mode") == verdict::differs);
  after.autotune_mode = "replay";
  BOOST_TEST(verdict_of(compare(before, after, {}), "autotune_mode") == verdict::normal);
  after.direct_repeat = 4;
  BOOST_TEST(verdict_of(compare(before, after, {}), "direct_repeat") == verdict::differs);
  BOOST_TEST(verdict_of(compare(before, after, parse_rules({}, {"direct_repeat=25"})),
                        "direct_repeat") == verdict::tolerated);
  BOOST_CHECK_THROW(parse_rules({"colour"}, {}), Error);
  BOOST_CHECK_THROW(parse_rules({}, {"direct_repeat=-1"}), Error);
  auto shared = identity();
  shared.tuner_cache = "shared";
  auto replay = shared;
  replay.autotune_mode = "replay";
  const auto rows = compare(shared, replay, {});
  BOOST_TEST(comparable(rows));
  BOOST_TEST(verdict_of(rows, "recording on a shared tuner cache") == verdict::warning);
}

BOOST_AUTO_TEST_CASE(libraries_and_driver_warn) {
  auto before = identity();
  auto after = identity();
  after.autotune_mode = "replay";
  before.libraries = {{"torch", "2.11"}, {"libtriton", "aa"}};
  after.libraries = {{"torch", "2.11"}, {"libtriton", "bb"}};
  after.driver = "600";
  const auto rows = compare(before, after, {});
  BOOST_TEST(comparable(rows));
  BOOST_TEST(verdict_of(rows, "libtriton") == verdict::warning);
  BOOST_TEST(verdict_of(rows, "driver") == verdict::warning);
  BOOST_TEST(verdict_of(rows, "torch") == "absent");
}

BOOST_AUTO_TEST_CASE(a_root_is_checked_whole) {
  const test::Scratch scratch;
  const auto& root = scratch.path;
  for (unsigned round = 1; round <= 3; ++round) {
    for (const auto side : {campaign::Side::before, campaign::Side::after}) {
      auto made = identity();
      made.autotune_mode = round == 1 && side == campaign::Side::before ? "record" : "replay";
      if (round == 3) made.timer = "direct";  // both sides alike, but not as in the other rounds
      const auto folder = campaign::cell_folder(root, {"abs", round, side});
      make_folders(folder);
      if (round != 2 || side == campaign::Side::before)
        replace_file(folder / formats::run_identity_file, print_run_identity(made));
    }
  }
  const auto check = check_cells(read_cells(root), {});
  BOOST_TEST(check.pairs == 3U);
  BOOST_TEST(!check.comparable());
  BOOST_REQUIRE(check.findings.size() == 3U);
  BOOST_TEST(check.findings[0].row.axis == "identity");
  BOOST_TEST(check.findings[1].row.axis == "timer");
  BOOST_TEST(check.hashes.size() == 2U);
  BOOST_TEST(describe(check.findings, true).size() == 2U);
}

BOOST_AUTO_TEST_SUITE_END()
