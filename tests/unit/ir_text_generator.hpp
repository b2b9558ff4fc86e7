#pragma once
// Random MLIR-like modules for the properties of the canonical form: one model, printed plainly or
// with the marks of a switch and debug locations, and for every byte whether it is such a mark.

#include <algorithm>
#include <random>
#include <string>
#include <vector>

namespace zl::test {

struct MarkedText {
  std::string text;
  std::vector<bool> mark;  ///< one a byte: is it something that the canonical form leaves out?
  void add(const std::string& piece, bool marked = false) {
    text += piece;
    mark.insert(mark.end(), piece.size(), marked);
  }
};

class TextGenerator {
 public:
  explicit TextGenerator(unsigned seed) : random_(seed) {}

  /// The same module twice: without and with marks.
  void generate() {
    plain = {};
    marked = {};
    conversions = 0;
    location_definitions();
    both("#blocked = #ttg.blocked<{sizePerThread = [1, 4], order = [1, 0]}>");
    end_line();
    location_definitions();
    both("module");
    dictionary(true);
    both(" {");
    end_line();
    both("  tt.func public @loc(%loc: !tt.ptr<f16>");
    dictionary(false);
    location();
    both(", %N: i32");
    dictionary(false);
    location();
    both(")");
    dictionary(true);
    both(" {");
    end_line();
    for (int i = pick(12); i >= 0; --i) operation();
    both("    tt.return");
    end_line();
    both("  }");
    end_line();
    both("}");
    end_line();
    location_definitions();
  }

  MarkedText plain, marked;
  std::size_t conversions = 0;

 private:
  int pick(int below) { return static_cast<int>(random_() % static_cast<unsigned>(below)); }
  template <std::size_t N>
  std::string one_of(const char* const (&choices)[N]) {
    return choices[static_cast<std::size_t>(pick(static_cast<int>(N)))];
  }

  void both(const std::string& piece) {
    plain.add(piece);
    marked.add(piece);
  }

  void operation() {
    switch (pick(6)) {
      case 0:
        both("    %v = ttg.convert_layout %x");
        ++conversions;
        break;
      case 1:
        both("    %v = triton_gpu.convert_layout %x");
        ++conversions;
        break;
      case 2:
        both("    %v = \"ttg.convert_layout\"(%x)");
        ++conversions;
        break;
      case 3:
        both("    tt.print \" loc(x) {ttg.rlc-a = 1} ttg.convert_layout \" : %x");
        break;
      case 4:
        both("    tt.call @loc(%x, %loc)");
        break;
      default:
        both("    %v = tt.load %x");
        break;
    }
    dictionary(false);
    both(" : tensor<64x!tt.ptr<f16>, #ttg.slice<{dim = 1, parent = #blocked}>>");
    if (pick(3) == 0) both(" -> (i32, f32)");
    end_line();
  }

  std::string value(int depth) {
    switch (pick(depth > 2 ? 5 : 8)) {
      case 0:
        return "1 : i32";
      case 1:
        return R"("a } , { = \" ttg.rlc-x loc(y) b")";
      case 2:
        return "array<i32: 1, 0>";
      case 3:
        return "dense<[1, 2]> : tensor<2xi32>";
      case 4:
        return "affine_map<(d0, d1) -> (d1, d0 floordiv 2)>";
      case 5:
        return "[" + value(depth + 1) + ", " + value(depth + 1) + "]";
      case 6:
        return "{x = " + value(depth + 1) + ", \"y-z\"}";
      default:
        return "[]";
    }
  }

  std::string entry(bool mark) {
    static const char* const kept[] = {"\"ttg.num-warps\"", "ttg.rlcfoo",      "\"ttg.rlc_x\"",
                                       "noinline",          "\"x.ttg.rlc-a\"", "loc",
                                       "ttg.target"};
    static const char* const stripped[] = {"\"ttg.rlc-a\"", "ttg.rlc-phase-mask",
                                           "\"ttg.rlc-minimum-writeback-bits\"", "\"ttg.rlc-\""};
    const auto key = mark ? one_of(stripped) : one_of(kept);
    return pick(3) == 0 ? key : key + " = " + value(0);
  }

  void dictionary(bool keyword) {
    const int kept = pick(4), marks = pick(4);
    const std::string open = keyword ? " attributes {" : " {";
    if (kept == 0 && marks == 0) return;
    std::vector<bool> order;
    order.insert(order.end(), static_cast<std::size_t>(kept), false);
    order.insert(order.end(), static_cast<std::size_t>(marks), true);
    std::shuffle(order.begin(), order.end(), random_);
    if (kept > 0) plain.add(open);
    marked.add(open, kept == 0);
    int before = 0, kept_before = 0;
    for (const bool mark : order) {
      const auto text = entry(mark);
      // The comma belongs to the mark, wherever the mark stands.
      if (before++ > 0) marked.add(", ", mark || kept_before == 0);
      marked.add(text, mark);
      if (mark) continue;
      if (kept_before++ > 0) plain.add(", ");
      plain.add(text);
    }
    if (kept > 0) plain.add("}");
    marked.add("}", kept == 0);
  }

  std::string location_text() {
    static const char* const locations[] = {
        "loc(#loc12)", "loc(unknown)", "loc(\"/src/a (1).py\":22:0)", "loc(\"x\"(#loc3))",
        "loc(callsite(\"f\"(\"a\\\"b.py\":1:2) at fused<\"p)q\">[#loc1, \"c.py\":3:4]))"};
    return one_of(locations);
  }
  void location() {
    if (pick(2) == 0) marked.add(" " + location_text(), true);
  }
  void location_definitions() {
    for (int i = pick(3); i > 0; --i)
      marked.add("#loc" + (pick(2) == 0 ? std::string() : std::to_string(pick(99))) + " = " +
                     location_text() + "\n",
                 true);
  }
  void end_line() {
    location();
    static const char* const blanks[] = {"", "", "", " ", "\t ", "\r", "  \r"};
    marked.add(one_of(blanks), true);
    both("\n");
  }

  std::mt19937 random_;
};

}  // namespace zl::test
