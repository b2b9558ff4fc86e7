#include <boost/test/unit_test.hpp>
#include <map>

#include "base/files.hpp"
#include "formats/run_log.hpp"

using namespace zl;
using namespace zl::formats;

namespace {

struct Read {
  std::vector<MeasuredRow> rows;
  Diagnostics seen;
};

Read read(const std::string& text) {
  Read result;
  result.rows = read_run_log(text, "run.log", result.seen);
  return result;
}

Read read_sample(const std::string& name) {
  Read result;
  result.rows =
      read_run_log(std::filesystem::path(ZL_TEST_DATA "/flaggems-logs/" + name), result.seen);
  return result;
}

std::map<std::string, std::size_t> per_op(const Read& log) {
  std::map<std::string, std::size_t> counts;
  for (const auto& row : log.rows) ++counts[row.op];
  return counts;
}

const std::string title =
    "Operator: abs  Performance Test (dtype=torch.float16, mode=kernel,level=core)\n";
const std::string header =
    "Status       Torch Latency (ms)    Gems Latency (ms)         Gems Speedup          Size "
    "Detail\n"
    "----------------------------------------------------------------------------------------------"
    "-\n";
const std::string row =
    "SUCCESS               0.004240            0.003160               1.342          "
    "[torch.Size([64, 64])]\n";

}  // namespace

BOOST_AUTO_TEST_SUITE(run_log)

BOOST_AUTO_TEST_CASE(measured_samples_are_read_whole) {
  for (const char* side : {"before", "after"}) {
    const auto abs = read_sample(std::string(side) + "/abs.log");
    BOOST_TEST((per_op(abs) == std::map<std::string, std::size_t>{{"abs", 15}, {"abs_", 15}}));
    BOOST_TEST(abs.seen.dropped.empty());
    BOOST_TEST(read_sample(std::string(side) + "/dropout.log").rows.size() == 30U);
    BOOST_TEST(read_sample(std::string(side) + "/rand.log").rows.size() == 15U);
  }
  const auto abs = read_sample("before/abs.log");
  BOOST_TEST(abs.rows[1].latency_ms.value() == 0.040832);
  BOOST_TEST(abs.rows[1].base_ms.value() == 0.004);
  BOOST_TEST(abs.rows[1].size == "[torch.Size([64, 64])]");
  BOOST_TEST(abs.rows[1].dtype == "torch.float16");
  BOOST_TEST(*read_sample("abs_cudagraph.log").seen.modes.begin() == "cudagraph");
}

BOOST_AUTO_TEST_CASE(pytest_failures_are_no_rows) {
  const auto addmm = read_sample("addmm.log");
  BOOST_TEST((per_op(addmm) == std::map<std::string, std::size_t>{{"addmm", 5}, {"addmm_out", 5}}));
  BOOST_TEST(addmm.rows[1].size == addmm.rows[4].size);
  BOOST_TEST(addmm.seen.dropped.empty());
}

BOOST_AUTO_TEST_CASE(every_form_of_the_simulated_samples) {
  const std::map<std::string, std::size_t> rows = {
      {"01-abs-core-kernel-3dtypes.stdout.txt", 30},
      {"01-benchmark_result.json", 30},
      {"01-result_benchmark_test_abs-s--level_core--record_log.log", 30},
      {"02-sum_dim-comprehensive-kernel-gbps.stdout.txt", 16},
      {"02-result_benchmark_test_sum_dim-s--record_log.log", 16},
      {"03-topk-core-operator-third-dtype-fails.stdout.txt", 14},
      {"03-benchmark_result.json", 14},
      {"03-result_benchmark_test_topk.py__test_topk.log", 14},
      {"04-add-core-wrapper-metrics-latency-only.stdout.txt", 8},
      {"04-add-metrics-latency-only.record.log", 4},
      {"06-benchmark_result.json", 0},
      {"06-skipped-and-missing-node.stdout.txt", 0},
      {"07-query.record.log", 0},
      {"07-query.stdout.txt", 0},
      {"09-args-and-kwargs-shape-detail.txt", 2},
      {"10-v2.0-old-format.txt", 3}};
  for (const auto& [name, count] : rows)
    BOOST_TEST(read_sample("simulated/" + name).rows.size() == count, name);
}

BOOST_AUTO_TEST_CASE(details_of_the_simulated_samples) {
  const auto latency_only =
      read_sample("simulated/04-add-core-wrapper-metrics-latency-only.stdout.txt");
  BOOST_TEST(latency_only.rows[0].latency_ms.value() == 0.02417);
  BOOST_TEST(!latency_only.rows[0].base_ms);
  BOOST_TEST(!latency_only.rows[4].latency_ms);
  const auto gbps = read_sample("simulated/02-sum_dim-comprehensive-kernel-gbps.stdout.txt");
  BOOST_TEST(gbps.rows[1].size == "[torch.Size([64, 64]), 1]");
  const auto both = read_sample("simulated/09-args-and-kwargs-shape-detail.txt");
  BOOST_TEST(both.rows[0].size == "[[[32, 256], [256, 256]], {\"out\": [32, 256]}]");
  BOOST_TEST(both.seen.dropped.at("table beside its own record").count == 2U);
  const auto old = read_sample("simulated/10-v2.0-old-format.txt");
  BOOST_TEST(old.rows[0].op == "abs");
  BOOST_TEST(old.rows[0].size == "64");
  BOOST_TEST(old.rows[0].latency_ms.value() == 0.00512);
  BOOST_TEST(read_sample("simulated/03-benchmark_result.json").seen.failures.at("topk") ==
             "failed: Failed: Triton Error [MUSA]: invalid argument");
}

BOOST_AUTO_TEST_CASE(extra_columns_colour_and_other_output) {
  const auto log =
      read("\x1b[1mbenchmark/test_abs.py \x1b[0m\n.\n" + title + header +
           "[INFO] : FlagGems Unsupported GPU arch hygon specialization\n"
           "\x1b[32mSUCCESS\x1b[0m               0.004240            0.003160               1.342"
           "               0.001          [torch.Size([64, 64]), 'a]b', 1]\r\n"
           "FAILED                     N/A                 N/A                 N/A          "
           "[torch.Size([1])]\n"
           "FAILED benchmark/test_abs.py::test_abs - Failed: 3\n" +
           row);
  BOOST_REQUIRE(log.rows.size() == 3U);
  BOOST_TEST(log.rows[0].size == "[torch.Size([64, 64]), 'a]b', 1]");
  BOOST_TEST(log.rows[0].latency_ms.value() == 0.00316);
  BOOST_TEST(log.rows[1].status == "FAILED");
  BOOST_TEST(!log.rows[1].latency_ms);
  BOOST_TEST(log.seen.dropped.empty());
}

BOOST_AUTO_TEST_CASE(a_log_cut_off_anywhere_never_gives_a_wrong_row) {
  const auto whole = title + header + row + row + "\n.\n" + title + header + row;
  const auto all = read(whole);
  BOOST_TEST(all.rows.size() == 3U);
  for (std::size_t length = 0; length < whole.size(); ++length) {
    const auto cut = read(whole.substr(0, length));
    for (const auto& found : cut.rows) {
      BOOST_TEST(found.latency_ms.value() == 0.00316);
      BOOST_TEST(found.size == "[torch.Size([64, 64])]");
    }
  }
  const auto cut = read(title + header + row + row.substr(0, row.size() - 5));
  BOOST_TEST(cut.rows.size() == 1U);
  BOOST_TEST(cut.seen.dropped.at("row cut off").first_line == 5U);
  BOOST_TEST(read(title + header).seen.dropped.at("table without rows").count == 1U);
  BOOST_TEST(read(header + row).seen.dropped.at("row of a table without a title").count == 1U);
}

BOOST_AUTO_TEST_CASE(rows_as_tsv_and_json_lines_among_other_output) {
  const auto tsv = read(
      "starting\nop\tdtype\tsize\tlatency_ms\nabs\tf16\t64\t1.5\nnoise\nabs\tf16\t65\tx\n"
      "abs\tf16\n");
  BOOST_TEST(tsv.rows.size() == 1U);
  BOOST_TEST(tsv.seen.dropped.at("malformed row").example.starts_with("run.log:5:12: "));
  BOOST_TEST(tsv.seen.dropped.at("row of another width").first_line == 6U);
  const auto lines =
      read("{\"op\":\"abs\",\"latency_ms\":2}\nhello\n{\"op\":\"abs\",\"latency_ms\":\n");
  BOOST_TEST(lines.rows.size() == 1U);
  BOOST_TEST(lines.rows[0].latency_ms.value() == 2);
  BOOST_TEST(lines.seen.dropped.at("malformed row").count == 1U);
}

BOOST_AUTO_TEST_CASE(records_with_python_numbers) {
  const auto log = read(
      "[INFO] {\"op_name\": \"abs\", \"dtype\": \"torch.float16\", \"mode\": \"kernel\", "
      "\"level\": \"core\", "
      "\"result\": [{\"shape_detail\": [[64], NaN, \"NaN\"], \"latency\": NaN, \"latency_base\": "
      "-Infinity, "
      "\"error_msg\": null}, {\"shape_detail\": [1], \"latency\": 0.5, \"error_msg\": \"boom\"}, "
      "3]}\n"
      "[INFO] {\"op_name\": \"abs\", \"dty");
  BOOST_REQUIRE(log.rows.size() == 2U);
  BOOST_TEST(!log.rows[0].latency_ms);
  BOOST_TEST(log.rows[0].size == "[[64], null, \"NaN\"]");
  BOOST_TEST(log.rows[1].status == "FAILED");
  BOOST_TEST(log.seen.dropped.at("no record").count == 1U);
  BOOST_TEST(log.seen.dropped.at("record cut off").first_line == 2U);
}

BOOST_AUTO_TEST_CASE(what_is_no_log_gives_no_rows) {
  for (const auto& text : {std::string(), std::string("\0\x1b[\xff\r\r\n{\n", 9), std::string("{}"),
                           std::string(100000, '['), std::string("Operator:  Performance Test (")})
    BOOST_TEST(read(text).rows.empty());
  BOOST_CHECK_THROW(read("{\n\"abs\": {\"details\": [\n"), Error);
}

BOOST_AUTO_TEST_SUITE_END()
