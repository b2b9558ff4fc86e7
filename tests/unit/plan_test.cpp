#include "campaign/plan.hpp"

#include <boost/test/unit_test.hpp>
#include <sstream>

using namespace zl;
using namespace zl::campaign;

namespace {

std::vector<PlanRow> read(const std::string& text) {
  std::istringstream in(text);
  formats::RowReader reader(in, "plan.tsv");
  return read_plan(reader);
}

std::string failure(const std::string& text) {
  try {
    read(text);
  } catch (const Error& error) {
    BOOST_TEST((error.kind() == ErrorKind::input));
    return error.what();
  }
  return {};
}

}  // namespace

BOOST_AUTO_TEST_SUITE(plan)

BOOST_AUTO_TEST_CASE(reads_what_it_writes_in_both_forms) {
  const PlanShape shape{true, true, {{"status", formats::ColumnType::text}, {"extra"}}};
  const PlanRow row{"0", "a", "topk", 3, 4, 706, 2118, 12.5, {}};
  for (const auto format : {formats::RowFormat::tsv, formats::RowFormat::json_lines}) {
    std::ostringstream out;
    auto fields = plan_fields(row, shape);
    fields.insert(fields.end(), {"IR_CHANGED", "a\tb"});
    formats::RowWriter(out, plan_columns(shape), format).write(fields);
    const auto rows = read(out.str());
    BOOST_REQUIRE(rows.size() == 1U);
    BOOST_TEST(rows[0].device == "0");
    BOOST_TEST(rows[0].host == "a");
    BOOST_TEST(rows[0].op == "topk");
    BOOST_TEST(rows[0].rounds == 3U);
    BOOST_TEST(rows[0].first_round == 4U);
    BOOST_TEST(rows[0].weight_s == 706);
    BOOST_TEST(rows[0].estimate_s == 2118);
    BOOST_TEST(rows[0].start_s == 12.5);
    BOOST_TEST(rows[0].fields.size() == 2U);
    BOOST_TEST(rows[0].fields.at("extra") == "a\tb");
  }
}

BOOST_AUTO_TEST_CASE(times_may_be_absent) {
  const auto rows = read("op\tdevice\trounds\tstart_s\nabs\t1\t2\t\n");
  BOOST_TEST(rows.at(0).start_s == 0);
  BOOST_TEST(rows.at(0).first_round == 1U);
  BOOST_TEST(read("device\top\trounds\n").empty());
}

BOOST_AUTO_TEST_CASE(errors_have_positions) {
  BOOST_TEST(failure("") == "plan.tsv: empty; expected a header line with a column 'device'");
  BOOST_TEST(failure("device\top\n0\tabs\n") ==
             "plan.tsv:1:1: no column 'rounds'; the columns are: device op");
  BOOST_TEST(failure("device\top\trounds\n0\tabs\t0\n") ==
             "plan.tsv:2:7: column rounds: expected a whole number from 1 to 1000000, got '0'");
  BOOST_TEST(failure("device\top\trounds\n\tabs\t1\n") ==
             "plan.tsv:2:1: column device: expected a name, got an empty field");
  BOOST_TEST(failure("device\top\trounds\tweight_s\n0\tabs\t1\t-1\n") ==
             "plan.tsv:2:9: column weight_s: expected no negative time, got '-1'");
  BOOST_TEST(failure("device\top\trounds\tstart_s\n0\tabs\t1\tnan\n") ==
             "plan.tsv:2:9: column start_s: expected a number, got 'nan'");
  BOOST_TEST(failure("{\"device\":\"0\",\"op\":\"abs\",\"rounds\":1.5}\n") ==
             "plan.tsv:1: /rounds: expected a whole number from 1 to 1000000, got '1.5'");
}

BOOST_AUTO_TEST_CASE(an_operator_twice_needs_disjoint_rounds) {
  BOOST_TEST(failure("device\top\trounds\n0\tabs\t1\n1\tabs\t1\n") ==
             "plan.tsv:3:3: column op: operator 'abs' appears twice (line 2)");
  const std::string head = "device\top\trounds\tfirst_round\n0\tabs\t2\t1\n";
  BOOST_TEST(read(head + "1\tabs\t4\t3\n").size() == 2U);
  BOOST_TEST(failure(head + "1\tabs\t4\t2\n") ==
             "plan.tsv:3:3: column op: operator 'abs' has rounds in common with an earlier row "
             "(line 2)");
}

BOOST_AUTO_TEST_SUITE_END()
