#include "ir/renamed_view.hpp"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <vector>

#include "base/text.hpp"
#include "ir/lexical.hpp"

namespace zl::ir {

namespace {

struct Token {
  std::size_t begin = 0, end = 0;  ///< of the name with its sigil, inside the line
};

struct Line {
  std::string_view text;
  std::vector<Token> names;
  std::string shape;  ///< the text with every name as its sigil
};

/// `%x`, `#blocked1`; `#ttg.blocked` is no name, and nothing in a string is.
std::vector<Token> names_in(std::string_view line) {
  std::vector<Token> names;
  for (std::size_t at = 0; at < line.size();) {
    if (line[at] == '"') {
      at = static_cast<std::size_t>(string_end(line.data() + at, line.data() + line.size()) -
                                    line.data());
      continue;
    }
    auto end = at + 1;
    if (line[at] == '%' || line[at] == '#') {
      while (end < line.size() && is(line[end], lexical::word)) ++end;
      const auto name = line.substr(at, end - at);
      const bool result_number = line[at] == '#' && at > 0 && is(line[at - 1], lexical::word);
      if (name.size() > 1 && !result_number &&
          (line[at] == '%' || name.find('.') == std::string_view::npos))
        names.push_back({at, end});
    }
    at = end;
  }
  return names;
}

std::vector<Line> lines_of(std::string_view text) {
  std::vector<Line> lines;
  while (!text.empty()) {
    const auto end = std::min(text.find('\n'), text.size() - 1) + 1;
    Line line{text.substr(0, end), {}, {}};
    line.names = names_in(line.text);
    std::size_t done = 0;
    for (const auto& name : line.names) {
      line.shape += line.text.substr(done, name.begin + 1 - done);
      done = name.end;
    }
    line.shape += line.text.substr(done);
    lines.push_back(std::move(line));
    text.remove_prefix(end);
  }
  return lines;
}

/// A sigil alone is no name, so that the shape of `%x` is the text of `%`: names are counted too.
bool alike(const Line& a, const Line& b) {
  return a.names.size() == b.names.size() && a.shape == b.shape;
}

using Pairs = std::vector<std::pair<std::optional<std::size_t>, std::optional<std::size_t>>>;

/// The longest common sequence of shapes, written as pairs in order. Where a table of both would
/// grow beyond 4 million cells, the middle stays unaligned.
Pairs align(const std::vector<Line>& a, const std::vector<Line>& b) {
  std::size_t head = 0, tail = 0;
  const auto least = std::min(a.size(), b.size());
  while (head < least && alike(a[head], b[head])) ++head;
  while (tail < least - head && alike(a[a.size() - 1 - tail], b[b.size() - 1 - tail])) ++tail;
  const auto rows = a.size() - head - tail, columns = b.size() - head - tail;
  Pairs pairs;
  for (std::size_t i = 0; i < head; ++i) pairs.emplace_back(i, i);
  const bool small = rows * columns <= 4'000'000;
  std::vector<std::uint32_t> table(small ? (rows + 1) * (columns + 1) : 0);
  const auto cell = [&](std::size_t i, std::size_t j) -> std::uint32_t& {
    return table[i * (columns + 1) + j];
  };
  const auto equal = [&](std::size_t i, std::size_t j) { return alike(a[head + i], b[head + j]); };
  for (std::size_t i = small ? rows : 0; i-- > 0;)
    for (std::size_t j = columns; j-- > 0;)
      cell(i, j) = equal(i, j) ? cell(i + 1, j + 1) + 1 : std::max(cell(i + 1, j), cell(i, j + 1));
  std::size_t i = 0, j = 0;
  while (i < rows || j < columns) {
    if (small && i < rows && j < columns && equal(i, j))
      pairs.emplace_back(head + i++, head + j++);
    else if (i < rows && (j == columns || !small || cell(i + 1, j) >= cell(i, j + 1)))
      pairs.emplace_back(head + i++, std::nullopt);
    else
      pairs.emplace_back(std::nullopt, head + j++);
  }
  for (std::size_t k = tail; k > 0; --k) pairs.emplace_back(a.size() - k, b.size() - k);
  return pairs;
}

using Names = std::map<std::string, std::string, std::less<>>;

/// New names, counted for each kind: `%0`, `#blocked0`.
class Counter {
 public:
  std::string next(std::string_view name) {
    // A value of several results, `%x:2`, keeps its plain name here.
    auto stem = name.substr(0, 1);
    if (name.front() == '#') stem = name.substr(0, name.find_last_not_of("0123456789") + 1);
    return std::string(stem) + std::to_string(counts_[std::string(stem)]++);
  }

 private:
  std::map<std::string, std::size_t> counts_;
};

std::string_view name_at(const Line& line, std::size_t i) {
  return line.text.substr(line.names[i].begin, line.names[i].end - line.names[i].begin);
}

std::string rewritten(const std::vector<Line>& lines, const Names& names) {
  std::string text;
  for (const auto& line : lines) {
    std::size_t done = 0;
    for (std::size_t i = 0; i < line.names.size(); ++i) {
      text += line.text.substr(done, line.names[i].begin - done);
      text += names.find(name_at(line, i))->second;
      done = line.names[i].end;
    }
    text += line.text.substr(done);
  }
  return text;
}

}  // namespace

RenamedPair renamed(std::string_view before, std::string_view after) {
  const auto a = lines_of(before), b = lines_of(after);
  Names names_a, names_b;
  Counter counter;
  const auto alone = [&](Names& names, const Line& line) {
    for (std::size_t i = 0; i < line.names.size(); ++i) {
      const auto name = name_at(line, i);
      if (!names.contains(name)) names.emplace(name, counter.next(name));
    }
  };
  for (const auto& [i, j] : align(a, b)) {
    if (i && j) {
      for (std::size_t k = 0; k < a[*i].names.size(); ++k) {
        const auto x = name_at(a[*i], k), y = name_at(b[*j], k);
        const auto known_x = names_a.find(x), known_y = names_b.find(y);
        if (known_x != names_a.end() || known_y != names_b.end()) continue;
        const auto name = counter.next(x);
        names_a.emplace(x, name);
        names_b.emplace(y, name);
      }
    }
    if (i) alone(names_a, a[*i]);
    if (j) alone(names_b, b[*j]);
  }
  return {rewritten(a, names_a), rewritten(b, names_b)};
}

}  // namespace zl::ir
