#include <boost/test/unit_test.hpp>
#include <cmath>
#include <filesystem>

#include "base/error.hpp"
#include "base/files.hpp"
#include "base/number.hpp"
#include "base/text.hpp"
#include "base/time.hpp"
#include "scratch.hpp"

using namespace zl;

BOOST_AUTO_TEST_SUITE(base)

BOOST_AUTO_TEST_CASE(numbers_read_whole_or_not_at_all) {
  BOOST_TEST(parse_double("1.5").value() == 1.5);
  BOOST_TEST(parse_double("-3").value() == -3);
  for (const char* text : {"", "nan", "inf", "0x10", "1.5W", " 1", "+1", "1e400"})
    BOOST_TEST(!parse_double(text).has_value(), text);
  BOOST_TEST(parse_unsigned("42").value() == 42U);
  for (const char* text : {"", "-1", "4.2", "99999999999999999999"})
    BOOST_TEST(!parse_unsigned(text).has_value(), text);
}

BOOST_AUTO_TEST_CASE(numbers_print_shortest_and_never_as_nonsense) {
  BOOST_TEST(format_number(3.0) == "3");
  BOOST_TEST(format_number(0.1) == "0.1");
  BOOST_TEST(format_number(-0.0) == "0");
  BOOST_TEST(format_number(0.00002) == "0.00002");
  BOOST_TEST(format_number(1e22) == "1e+22");
  BOOST_TEST(format_number(NAN).empty());
  BOOST_TEST(format_rounded(1.2500001, 3) == "1.25");
  BOOST_TEST(format_fixed(-0.0001, 2) == "0.00");
}

BOOST_AUTO_TEST_CASE(json_number_grammar) {
  for (const char* text : {"0", "-1", "1.5", "1e5", "1E-5", "10"})
    BOOST_TEST(is_json_number(text), text);
  for (const char* text : {"", "01", "1.", ".5", "+1", "1e", "nan", "1 "})
    BOOST_TEST(!is_json_number(text), text);
}

BOOST_AUTO_TEST_CASE(printable_stops_terminal_control) {
  BOOST_TEST(printable("a\x1b[2J") == "a\\x1b[2J");
  BOOST_TEST(printable("\xff") == "\\xff");
  BOOST_TEST(printable("\xc2\x9b") == "\\xc2\\x9b");
  BOOST_TEST(printable("µs") == "µs");
  BOOST_TEST(!is_utf8("\xed\xa0\x80"));
}

BOOST_AUTO_TEST_CASE(words_split_like_a_shell_without_expansion) {
  const std::vector<std::string> expected = {"prog", "a b", "{op}", "$HOME", "it's", ""};
  BOOST_TEST(split_words("prog 'a b' {op} $HOME \"it's\" ''") == expected,
             boost::test_tools::per_element());
  BOOST_CHECK_THROW(split_words("a 'b"), Error);
  // A backslash takes the next byte, in "" only before " and \, in '' never; at the end it stays.
  const std::vector<std::string> escaped{"a b", "\"", "\\n\"\\", "\\", "c\\"};
  BOOST_TEST(split_words(R"(a\ b \" "\n\"\\" '\' c\)") == escaped,
             boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(components_never_leave_the_folder) {
  for (const std::string name :
       {"../x", "/etc/passwd", ".", "..", "", "a/b", "a\nb", "100%", "%41", "\xff"}) {
    const auto component = path_component(name);
    BOOST_TEST(component.find('/') == std::string::npos);
    BOOST_TEST(!component.starts_with("."));
    BOOST_TEST(name_from_component(component) == name);
  }
  BOOST_TEST(path_component("bernoulli_") == "bernoulli_");
}

BOOST_AUTO_TEST_CASE(times_round_trip) {
  const auto now = wall_now();
  BOOST_TEST((parse_time(format_time(now)) == now));
  BOOST_TEST(format_time(*parse_time("2026-02-28T23:59:59.5Z")) == "2026-02-28T23:59:59.500Z");
  for (const char* text :
       {"", "2026-02-30T00:00:00Z", "2026-02-28 00:00:00Z", "2026-02-28T00:00:00+01:00"})
    BOOST_TEST(!parse_time(text).has_value(), text);
}

BOOST_AUTO_TEST_CASE(replacing_leaves_nothing_aside) {
  const test::Scratch scratch;
  const auto& folder = scratch.path;
  replace_file(folder / "a", "one");
  replace_file(folder / "a", "two");
  BOOST_TEST(read_file(folder / "a") == "two");
  BOOST_TEST(std::distance(std::filesystem::directory_iterator(folder), {}) == 1);
  const AppendFile file(folder / "log");
  file.append("h\n", "1\n");
  file.append("h\n", "2");
  file.append("h\n", "3\n");
  BOOST_TEST(read_file(folder / "log") == "h\n1\n2\n3\n");
}

BOOST_AUTO_TEST_CASE(near_names_are_near) {
  const std::vector<std::string> known = {"softmax", "log_softmax", "topk", "sort"};
  BOOST_TEST(near_names("sofmax", known).at(0) == "softmax");
  BOOST_TEST(near_names("zzzzzzzzz", known).empty());
}

BOOST_AUTO_TEST_SUITE_END()
