#include <cstdlib>

#include <boost/test/unit_test.hpp>
#include <filesystem>

#include "base/error.hpp"
#include "base/files.hpp"
#include "campaign/judge.hpp"
#include "campaign/rescore.hpp"
#include "ir/compare.hpp"
#include "ir/renamed_view.hpp"
#include "process/process.hpp"
#include "scratch.hpp"

namespace {

using namespace zl;
using test::Scratch;
namespace fs = std::filesystem;

const fs::path data = ZL_TEST_DATA "/ir";

ir::Tree tree(const fs::path& place, const ir::Criterion& criterion = {}) {
  return ir::read_tree(place.native(), criterion);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(ir_tree)

BOOST_AUTO_TEST_CASE(cache_keys) {
  BOOST_TEST(ir::is_cache_key(std::string(52, 'A')));
  BOOST_TEST(ir::is_cache_key(std::string(51, 'Z') + "7"));
  BOOST_TEST(ir::is_cache_key(std::string(64, 'f')));
  BOOST_TEST(!ir::is_cache_key(std::string(51, 'A')));
  BOOST_TEST(!ir::is_cache_key(std::string(51, 'A') + "1"));
  BOOST_TEST(!ir::is_cache_key(std::string(64, 'g')));
  BOOST_TEST(ir::kernel_name("op/" + std::string(52, 'A') + "/k.ttgir") == "op/k.ttgir");
  BOOST_TEST(ir::kernel_name(std::string(52, 'A')) == std::string(52, 'A'));
  BOOST_TEST(ir::cache_key("op/" + std::string(64, '0') + "/k.ttgir") == std::string(64, '0'));
}

BOOST_AUTO_TEST_CASE(the_real_caches_are_judged_right) {
  for (const char* op : {"cumsum", "dropout", "softmax", "sort", "transpose", "mm"}) {
    const auto row =
        campaign::judge_pair(data / "triton-cache/before" / op, data / "triton-cache/after" / op);
    BOOST_TEST(row.status == (std::string(op) == "mm" ? campaign::screen_status::changed
                                                      : campaign::screen_status::same));
    BOOST_TEST(row.criterion == "irfp/1");
    BOOST_TEST((row.status == "IR_CHANGED") == !row.reason.empty());
  }
  const auto mm =
      campaign::judge_pair(data / "triton-cache/before/mm", data / "triton-cache/after/mm");
  BOOST_TEST((mm.kernels_before == 4U && mm.kernels_after == 4U && mm.cvt_before == 4U &&
              mm.cvt_after == 4U));
}

BOOST_AUTO_TEST_CASE(threads_change_nothing) {
  ir::ReadOptions many;
  many.threads = 8;
  const auto place = data / "triton-cache/before";
  BOOST_TEST(ir::read_tree(place.native(), {}, many).fingerprint() == tree(place).fingerprint());
}

BOOST_AUTO_TEST_CASE(a_file_that_changes_while_it_is_read_is_named) {
  const Scratch scratch;
  scratch.write("k.ttgir", "module {\n}\n");
  const auto file = (scratch.path / "k.ttgir").native();
  const AppendFile appended(file);
  ir::KernelReader reader({});
  int changes = 0;
  reader.after_reading = [&] { appended.append("", "x" + std::to_string(++changes) + "\n"); };
  BOOST_CHECK_EXCEPTION(reader.read_file(file), Error, [](const Error& e) {
    return std::string(e.what()).ends_with("k.ttgir: changes while it is being read");
  });
  BOOST_TEST(changes == 3);
  // One that comes to rest is read as it then is, and nothing of the first attempt is left.
  reader.after_reading = [&] {
    if (++changes == 4) appended.append("", "last\n");
  };
  std::string text;
  const auto facts = reader.read_file(file, &text);
  BOOST_TEST(text == "module {\n}\nx1\nx2\nx3\nlast\n");
  BOOST_TEST(facts.bytes == text.size());
}

BOOST_AUTO_TEST_CASE(criteria_are_never_compared) {
  ir::Criterion other;
  other.strip = {"x-"};
  BOOST_CHECK_THROW(
      ir::compare_trees(tree(data / "rlc-pair/before"), tree(data / "rlc-pair/after", other)),
      Error);
  BOOST_TEST(tree(data / "rlc-pair/before").fingerprint() !=
             tree(data / "rlc-pair/before", other).fingerprint());
  ir::Criterion ordered, reversed;
  ordered.ignored = {"a b", "c"};
  reversed.ignored = {"c", "a b"};
  BOOST_TEST(ordered.text() == "irfp/1 ignore=a%20b,c");
  BOOST_TEST(ordered.text() == reversed.text());
}

BOOST_AUTO_TEST_CASE(shared_cache_keys_are_found) {
  const auto before = data / "triton-cache/before/sort", after = data / "triton-cache/after/sort";
  BOOST_TEST(campaign::shared_cache_keys(before, after).empty());
  BOOST_TEST(campaign::shared_cache_keys(before, before).size() == 3U);
  const auto row = campaign::judge_pair(before, before);
  BOOST_TEST(row.reason.starts_with("SWITCH_NOT_EFFECTIVE"));
}

BOOST_AUTO_TEST_CASE(missing_artifacts_are_no_verdict) {
  const auto row = campaign::judge_pair("nowhere", data / "rlc-pair/after");
  BOOST_TEST(row.status == campaign::screen_status::no_ir);
  BOOST_TEST(row.reason == "no artifacts before");
}

BOOST_AUTO_TEST_CASE(a_stop_leaves_the_table_alone) {
  const Scratch scratch;
  fs::create_directories(scratch.path / "op/r1/before");
  fs::create_directories(scratch.path / "op/r1/after");
  fs::copy(data / "rlc-pair/before", scratch.path / "op/r1/before/ir");
  fs::copy(data / "rlc-pair/after", scratch.path / "op/r1/after/ir");
  scratch.write("screen.tsv", "op\tstatus\nop\tIR_CHANGED\n");
  process::StopRequest request;
  request.request(2);
  campaign::RescoreOptions options;
  options.stop = request.token();
  const auto result = campaign::rescore(scratch.path, options);
  BOOST_TEST(result.interrupted);
  BOOST_TEST(read_file(scratch.path / "screen.tsv") == "op\tstatus\nop\tIR_CHANGED\n");
  BOOST_TEST(!fs::exists(scratch.path / "screen.tsv.orig"));
  options.stop = {};
  const auto whole = campaign::rescore(scratch.path, options);
  BOOST_TEST(whole.operators.front().row.status == campaign::screen_status::same);
  BOOST_TEST(read_file(whole.original) == "op\tstatus\nop\tIR_CHANGED\n");
}

BOOST_AUTO_TEST_CASE(the_view_renames_and_aligns) {
  const auto view = ir::renamed("#b = #ttg.b\n%x:2 = a %y, %x#1 : #b\n",
                                "#b3 = #ttg.b\n%n = new\n%7:2 = a %4, %7#1 : #b3\n");
  BOOST_TEST(view.before == "#b0 = #ttg.b\n%1:2 = a %2, %1#1 : #b0\n");
  BOOST_TEST(view.after == "#b0 = #ttg.b\n%0 = new\n%1:2 = a %2, %1#1 : #b0\n");
}

BOOST_AUTO_TEST_SUITE_END()
