#include "ir/canonical.hpp"

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <filesystem>

#include "base/files.hpp"
#include "ir/kernel_reader.hpp"
#include "ir_text_generator.hpp"

namespace {

using namespace zl;

const std::vector<std::string> rlc = {"ttg.rlc-"};

std::string of(std::string_view text) {
  return ir::canonical(text, rlc);
}

std::size_t plain_count(std::string_view text, std::string_view needle) {
  std::size_t count = 0;
  for (auto at = text.find(needle); at != std::string_view::npos; at = text.find(needle, at + 1))
    ++count;
  return count;
}

struct Case {
  const char* in;
  const char* out;
};

void check_all(std::initializer_list<Case> cases) {
  for (const auto& c : cases) {
    BOOST_TEST(of(c.in) == c.out);
    BOOST_TEST(of(c.out) == c.out);
  }
}

}  // namespace

BOOST_AUTO_TEST_SUITE(canonical)

BOOST_AUTO_TEST_CASE(locations_go) {
  check_all(
      {{"%a = x loc(#loc1)\n", "%a = x\n"},
       {"%a = x loc(\"f(x\\\").py\":1:2)\n", "%a = x\n"},
       {"f(%x: i32 loc(\"x\"(#loc)), %y: i32 loc(\"y\"(#loc))) {\n", "f(%x: i32, %y: i32) {\n"},
       {"#loc = loc(unknown)\n#loc12 = loc(\"a\":1:2)\nmodule {\n}\n#loc1 = loc(\"b\"(#loc))\n",
        "module {\n}\n"},
       {"} loc(callsite(\"a\"(#loc1) at fused[#loc2, \"b)\":1:1]))\n", "}\n"},
       {"^bb0(%x: i32 loc(unknown)):  // pred\n", "^bb0(%x: i32):  // pred\n"},
       {"x loc(#loc1)", "x\n"},
       {"loc(#loc1)", "\n"}});
}

BOOST_AUTO_TEST_CASE(what_only_looks_like_a_location_stays) {
  for (const char* text :
       {"tt.call @loc(%x)\n", "^loc(%x):\n", "%loc = %xloc(1)\n", "tt.print \" loc(x)\" : %a\n",
        "#location = #ttg.x\n", "#loc3 = #ttg.x\n", "a.loc(x)\n", "x loc(unclosed\n",
        "x loc(\"a\"\n", "x loc(a)b\n", "!loc(x)\n"})
    BOOST_TEST(of(text) == text);
}

BOOST_AUTO_TEST_CASE(entries_go_wherever_they_stand) {
  check_all({{"m attributes {\"ttg.rlc-a\" = 1 : i32, b = 2} {\n", "m attributes {b = 2} {\n"},
             {"m attributes {a = 1, \"ttg.rlc-a\" = 1 : i32, b = 2} {\n",
              "m attributes {a = 1, b = 2} {\n"},
             {"m attributes {a = 1, ttg.rlc-a} {\n", "m attributes {a = 1} {\n"},
             {"module attributes {\"ttg.rlc-a\" = 1 : i32, ttg.rlc-b} {\n", "module {\n"},
             {"op %x {ttg.rlc-a} : i32\n", "op %x : i32\n"},
             {"f(%x: i32 {ttg.rlc-a = 1} loc(\"x\"), %y: i32)\n", "f(%x: i32, %y: i32)\n"},
             {"op {a = {ttg.rlc-b = 1}}\n", "op {a = {}}\n"},
             {"op {a = [{ttg.rlc-b}, {c}]}\n", "op {a = [{}, {c}]}\n"},
             {"\"op\"(%x) <{ttg.rlc-a = 1}> : i32\n", "\"op\"(%x) : i32\n"},
             {"#l = #ttg.slice<{ttg.rlc-a = 1}>\n", "#l = #ttg.slice<{}>\n"},
             {"op {ttg.rlc-a = \"x } , \\\" {\", b, ttg.rlc-c = [1, {d = 2}], ttg.rlc-e = {f = <1, "
              "2>}}\n",
              "op {b}\n"},
             {"op { ttg.rlc-a = 1, b = 2 , ttg.rlc-c }\n", "op { b = 2 }\n"},
             {"op {ttg.rlc-m = affine_map<(d0) -> (d0)>, b}\n", "op {b}\n"}});
}

BOOST_AUTO_TEST_CASE(what_only_looks_like_an_entry_stays) {
  for (const char* text : {"op {ttg.rlcfoo = 1}\n", "op {a = \"ttg.rlc-b\"}\n",
                           "op {a = [\"ttg.rlc-b\", \"ttg.rlc-c\"]}\n", "op {x.ttg.rlc-a = 1}\n",
                           "op {\n  \"ttg.rlc-op\"(%x) : i32\n", "tt.print \"{ttg.rlc-a}\" : %x\n",
                           "op {}\n", "op {ttg.rlc-a = ( }\n", "op {ttg.rlc-a = 1\n"})
    BOOST_TEST(of(text) == text);
}

BOOST_AUTO_TEST_CASE(line_ends_are_normalised_and_nothing_else) {
  check_all(
      {{"a \r\nb\t\r\nc", "a\nb\nc\n"}, {"", ""}, {"\n\n", "\n\n"}, {"  a  b\n", "  a  b\n"}});
  BOOST_TEST(of("caf\xC3\xA9 \xFF\n") == "caf\xC3\xA9 \xFF\n");
}

BOOST_AUTO_TEST_CASE(prefixes_are_a_parameter) {
  BOOST_TEST(ir::canonical("op {foo.a = 1, ttg.rlc-b, bar}\n", {"foo.", "ba"}) ==
             "op {ttg.rlc-b}\n");
}

BOOST_AUTO_TEST_CASE(properties_of_generated_modules) {
  std::mt19937 random(4);
  for (unsigned seed = 0; seed < 400; ++seed) {
    test::TextGenerator generator(seed);
    generator.generate();
    const auto& plain = generator.plain.text;
    const auto& marked = generator.marked;
    ir::TextFacts facts;
    const auto result = ir::canonical(marked.text, rlc, &facts);
    BOOST_REQUIRE_EQUAL(result, plain);
    BOOST_REQUIRE_EQUAL(of(plain), plain);
    BOOST_REQUIRE_EQUAL(facts.conversions, generator.conversions);
    BOOST_REQUIRE(facts.complete());
    for (int i = 0; i < 60; ++i) {
      const auto at = random() % marked.text.size();
      if (marked.mark[at]) continue;
      auto changed = marked.text;
      const char with = " aZ09\"{}(),=<>\\\t.-#%@"[random() % 21];
      if (with == changed[at]) continue;
      changed[at] = with;
      BOOST_REQUIRE_MESSAGE(of(changed) != plain,
                            "seed " << seed << ", byte " << at << " to '" << with << "'");
      BOOST_REQUIRE_EQUAL(of(of(changed)), of(changed));
    }
  }
}

BOOST_AUTO_TEST_CASE(pieces_make_no_difference) {
  // A text longer than the reader's buffer, with lines that straddle its end, and one too long.
  std::string text;
  for (unsigned seed = 0; text.size() < 3 * ir::longest_line; ++seed) {
    test::TextGenerator generator(seed);
    generator.generate();
    text += generator.marked.text;
  }
  text += std::string(2 * ir::longest_line, 'x') + " loc(a) \nshort loc(a) \n";
  ir::Criterion criterion;
  ir::KernelReader reader(criterion);
  std::string streamed;
  std::size_t done = 0, step = 0;
  const auto facts = reader.read(
      "text",
      [&](char* to, std::size_t size) {
        size = std::min({size, text.size() - done, std::size_t{1} + (step++ * 7919) % 100'000});
        text.copy(to, size, done);
        done += size;
        return size;
      },
      &streamed);
  BOOST_TEST((streamed == of(text)));
  BOOST_TEST(facts.bytes == streamed.size());
  BOOST_TEST(streamed.ends_with(" loc(a) \nshort\n"));
}

BOOST_AUTO_TEST_CASE(conversions_of_real_kernels) {
  for (const auto& entry :
       std::filesystem::recursive_directory_iterator(std::string(ZL_TEST_DATA) + "/ir")) {
    if (entry.path().extension() != ".ttgir") continue;
    const auto text = read_file(entry.path());
    ir::TextFacts facts;
    ir::canonical(text, rlc, &facts);
    BOOST_TEST(facts.conversions == plain_count(text, " ttg.convert_layout "));
    BOOST_TEST(facts.complete());
  }
}

BOOST_AUTO_TEST_CASE(a_module_that_was_cut_short_is_noticed) {
  const auto complete = [](std::string_view text) {
    ir::TextFacts facts;
    ir::canonical(text, rlc, &facts);
    return facts.complete();
  };
  BOOST_TEST(complete("module {\n} loc(#loc)\n#loc = loc(unknown)\n"));
  BOOST_TEST(
      complete("module {\n} loc(#loc)\n#loc = loc(unkn"  // nothing of the code is missing
               ")"));
  BOOST_TEST(!complete("module {\n  tt.func @f() {\n    tt.return\n  }\n"));
  BOOST_TEST(!complete("module {\n"));
}

BOOST_AUTO_TEST_CASE(hostile_lines_take_linear_time) {
  // Each was quadratic in a naive scanner; a megabyte of it would not end within the test's time.
  for (const std::string piece :
       {"loc(", "x loc(x", "{ttg.rlc-a,", "{ttg.rlc-a = {", "<", "\"", "loc(a)x ", "#loc = loc("}) {
    std::string text;
    while (text.size() < 900'000) text += piece;
    BOOST_TEST(of(of(text)) == of(text));
  }
}

BOOST_AUTO_TEST_SUITE_END()
