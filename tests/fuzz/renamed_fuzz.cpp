// Two texts with their names made comparable (before and after are parted by a zero byte): names
// only change, and equal texts stay equal. Attribute entries are taken out once and for all.

#include <algorithm>

#include "fuzz.hpp"
#include "ir/dictionary.hpp"
#include "ir/renamed_view.hpp"

using namespace zl;
using fuzz::require;

namespace {

auto lines_of(std::string_view text) {
  return std::count(text.begin(), text.end(), '\n');
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto text = fuzz::text_of(data, size);
  const auto middle = std::min(text.find('\0'), text.size());
  const auto before = text.substr(0, middle);
  const auto after = text.substr(std::min(middle + 1, text.size()));
  const auto pair = ir::renamed(before, after);
  require(lines_of(pair.before) == lines_of(before) && lines_of(pair.after) == lines_of(after),
          "renaming keeps the lines");
  const auto same = ir::renamed(before, before);
  require(same.before == same.after, "equal texts stay equal");
  const auto line = std::string(before.substr(0, before.find('\n')));
  const auto once = ir::without_entries(line, {"ttg.rlc-", "z."});
  require(once.size() <= line.size(), "taking entries out does not lengthen a line");
  return 0;
}
