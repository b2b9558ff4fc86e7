#include <boost/test/unit_test.hpp>
#include <sstream>

#include "formats/rows.hpp"

using namespace zl;
using namespace zl::formats;

namespace {

std::string failure(const std::string& text) {
  std::istringstream in(text);
  try {
    RowReader reader(in, "in.tsv");
    Row row;
    while (reader.next(row)) {
    }
  } catch (const Error& error) {
    return error.what();
  }
  return {};
}

}  // namespace

BOOST_AUTO_TEST_SUITE(rows)

BOOST_AUTO_TEST_CASE(tsv_tolerates_habits) {
  std::istringstream in("\xEF\xBB\xBFop\tx\r\n\r\na\\tb\t1\r\nc\t");
  RowReader reader(in, "-");
  Row row;
  BOOST_REQUIRE(reader.next(row));
  BOOST_TEST(row.fields[0] == "a\tb");
  BOOST_TEST(reader.number_at(row, 1).value() == 1);
  BOOST_REQUIRE(reader.next(row));
  BOOST_TEST(!reader.number_at(row, 1).has_value());
  BOOST_TEST(!reader.next(row));
}

BOOST_AUTO_TEST_CASE(tsv_errors_have_positions) {
  BOOST_TEST(failure("a\tb\n1\n") == "in.tsv:2:1: expected 2 fields, got 1");
  BOOST_TEST(failure("a\tb\n1\t2\t3\n") == "in.tsv:2:5: expected 2 fields, got 3");
  BOOST_TEST(failure("a\tb\n1\tx\\q\n") ==
             "in.tsv:2:4: expected one of \\t \\n \\r \\\\ \\xNN in a field");
  BOOST_TEST(failure("a\ta\n") == "in.tsv:1:3: column 'a' appears twice");
}

BOOST_AUTO_TEST_CASE(control_characters_are_escaped_and_come_back) {
  std::string odd = "\\ \xC2\x9B \xC2\xA0 \xC2 \x9B \xFF \x7F";
  for (char c = 0; c < ' '; ++c) odd += c;
  const auto line = tsv_line({odd});
  for (const char c : std::string_view(line).substr(0, line.size() - 1))
    BOOST_TEST((static_cast<unsigned char>(c) >= 0x20 && c != 0x7F));
  BOOST_TEST(line.starts_with("\\\\ \\xc2\\x9b \xC2\xA0 \xC2 \x9B \xFF \\x7f\\x00"));
  BOOST_TEST(unescaped_tsv_field(std::string_view(line).substr(0, line.size() - 1)) == odd);
  std::istringstream in("op\n" + line + "\\x1B\n");
  RowReader reader(in, "-");
  Row row;
  BOOST_REQUIRE(reader.next(row));
  BOOST_TEST(row.fields[0] == odd);
  BOOST_REQUIRE(reader.next(row));
  BOOST_TEST(row.fields[0] == "\x1B");
  for (const char* bad : {"\\x", "\\x1", "\\x1g", "\\x-1", "\\"})
    BOOST_TEST(
        failure(std::string("op\n") + bad + "\n").starts_with("in.tsv:2:1: expected one of"));
}

BOOST_AUTO_TEST_CASE(a_key_twice_in_one_object_is_an_error) {
  const std::string first = "{\"op\":\"a:b\",\"x\":{\"op\":[{\"op\":1},{\"op\":2}]}}\n";
  BOOST_TEST(failure(first).empty());
  BOOST_TEST(failure(first + "{\"op\":\"\\\"\", \"x\":1,\"op\":\"b\"}\n") ==
             "in.tsv:2:19: JSON: key 'op' appears twice in one object");
  BOOST_TEST(failure("{\"op\":1,\"\\u006fp\":1}") ==
             "in.tsv:1:9: JSON: key 'op' appears twice in one object");
  BOOST_TEST(failure("{\"x\":[{\"a\":1,\"a\" : 1}]}") ==
             "in.tsv:1:14: JSON: key 'a' appears twice in one object");
}

BOOST_AUTO_TEST_CASE(json_lines_give_the_same_rows) {
  std::istringstream in("{\"op\":\"abs\",\"x\":1.5}\n{\"op\":null,\"y\":[1,2]}\n");
  RowReader reader(in, "-");
  Row row;
  BOOST_REQUIRE(reader.next(row));
  BOOST_TEST(row.fields[1] == "1.5");
  BOOST_REQUIRE(reader.next(row));
  BOOST_TEST(reader.columns().size() == 3U);
  BOOST_TEST(row.fields[0].empty());
  BOOST_TEST(row.fields[2] == "[1,2]");
  BOOST_TEST(failure("{\"a\":1}\n{\"a\":}\n").starts_with("in.tsv:2:6: JSON: "));
}

BOOST_AUTO_TEST_CASE(writers_agree) {
  const std::vector<Column> columns = {
      {"op", ColumnType::text}, {"n", ColumnType::number}, {"rest"}};
  std::ostringstream tsv, json;
  RowWriter(tsv, columns, RowFormat::tsv).write({"7", "1.50", "a\tb"});
  RowWriter(json, columns, RowFormat::json_lines).write({"7", "", "12"});
  BOOST_TEST(tsv.str() == "op\tn\trest\n7\t1.50\ta\\tb\n");
  BOOST_TEST(json.str() == "{\"op\":\"7\",\"n\":null,\"rest\":12}\n");
}

BOOST_AUTO_TEST_SUITE_END()
