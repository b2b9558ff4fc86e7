#include "backends/npu_smi.hpp"

#include <algorithm>
#include <set>

#include "backends/quantity.hpp"
#include "base/number.hpp"
#include "base/text.hpp"

namespace zl::backends {

namespace {

std::vector<std::string> words(std::string_view text) {
  std::string plain(text);
  // "10568/ 65536" touches its slash.
  std::replace(plain.begin(), plain.end(), '/', ' ');
  std::vector<std::string> found;
  for (const auto word : split(plain, ' '))
    if (!trim(word).empty()) found.emplace_back(trim(word));
  return found;
}

std::vector<std::string> cells(std::string_view line) {
  std::vector<std::string> found;
  line = trim(line);
  if (!line.starts_with('|')) return found;
  for (const auto cell : split(line.substr(1), '|')) found.emplace_back(trim(cell));
  if (!found.empty() && found.back().empty()) found.pop_back();
  return found;
}

std::string word_at(const std::vector<std::string>& list, std::size_t i) {
  return i < list.size() ? list[i] : std::string();
}

/// Where a heading stands among the headings of a cell; its value stands there too, as every
/// value before it is one word.
std::optional<std::size_t> place(const std::string& heading, std::string_view name) {
  const auto list = words(lower(heading));
  for (std::size_t i = 0; i < list.size(); ++i)
    if (list[i].starts_with(name)) return i;
  return std::nullopt;
}

/// The headings of the two lines of a pair.
struct Headings {
  std::vector<std::string> first, second;
  bool complete() const { return first.size() >= 3 && second.size() >= 3; }
};

std::optional<double> value_at(const std::string& cell, std::optional<std::size_t> place,
                               Unit unit) {
  return place ? quantity(word_at(words(cell), *place), unit) : std::nullopt;
}

/// Total of the HBM, else of the memory: the second of a pair of values, pairs standing behind
/// the utilisation.
std::optional<double> memory_of(const std::string& cell) {
  const auto list = words(cell);
  for (const std::size_t at : {std::size_t{4}, std::size_t{2}}) {
    const auto total = quantity(word_at(list, at), Unit::memory);
    if (total && *total > 0) return total;
  }
  return std::nullopt;
}

NpuChip make_chip(const Headings& headings, const std::vector<std::string>& first,
                  const std::vector<std::string>& second) {
  NpuChip chip;
  const auto left = words(first[0]);
  chip.npu = word_at(left, 0);
  for (std::size_t i = 1; i < left.size(); ++i) chip.name += (i > 1 ? " " : "") + left[i];
  chip.chip = word_at(words(second[0]), 0);
  chip.bus_id = pci_address(second[1]);
  chip.power_w = value_at(first[2], place(headings.first[2], "power"), Unit::power);
  chip.temp_c = value_at(first[2], place(headings.first[2], "temp"), Unit::temperature);
  chip.util_pct = value_at(second[2], place(headings.second[2], "aicore"), Unit::share);
  chip.memory_mib = memory_of(second[2]);
  return chip;
}

bool is_pair(const std::vector<std::string>& first, const std::vector<std::string>& second) {
  return first.size() >= 3 && second.size() >= 3 && parse_unsigned(word_at(words(first[0]), 0)) &&
         parse_unsigned(word_at(words(second[0]), 0));
}

}  // namespace

NpuTable parse_npu_table(std::string_view text) {
  NpuTable table;
  Headings headings;
  std::vector<std::string> pending;
  for (const auto line : split(text, '\n')) {
    const auto row = cells(line);
    if (row.empty()) continue;
    const auto small = lower(row[0]);
    if (const auto at = row[0].find("Version:"); at != std::string::npos)
      table.version = trim(std::string_view(row[0]).substr(at + 8));
    if (row.size() > 1 && lower(row[1]).starts_with("process")) break;
    if (small.starts_with("npu "))
      headings.first = row;
    else if (small.starts_with("chip"))
      headings.second = row;
    else if (headings.complete() && pending.empty())
      pending = row;
    else if (headings.complete()) {
      if (is_pair(pending, row)) table.chips.push_back(make_chip(headings, pending, row));
      pending.clear();
    }
  }
  table.cut_off = !pending.empty();
  std::set<std::string> cards;
  for (const auto& chip : table.chips)
    table.several = !cards.insert(chip.npu).second || table.several;
  return table;
}

namespace {

/// Columns parted by tabs or by two blanks or more; a name may hold single blanks.
std::vector<std::string> wide_columns(std::string_view line) {
  std::vector<std::string> found;
  std::string plain(line);
  std::replace(plain.begin(), plain.end(), '\t', ' ');
  std::string current;
  for (std::size_t i = 0; i < plain.size(); ++i) {
    if (plain.compare(i, 2, "  ") != 0) {
      current += plain[i];
      continue;
    }
    if (!trim(current).empty()) found.emplace_back(trim(current));
    current.clear();
  }
  if (!trim(current).empty()) found.emplace_back(trim(current));
  return found;
}

std::size_t column_of(const std::vector<std::string>& heads, std::string_view name) {
  return static_cast<std::size_t>(
      std::find_if(heads.begin(), heads.end(),
                   [&](const std::string& head) { return equal_ignoring_case(head, name); }) -
      heads.begin());
}

}  // namespace

std::map<std::pair<std::string, std::string>, std::string> parse_npu_mapping(
    std::string_view text) {
  std::map<std::pair<std::string, std::string>, std::string> mapping;
  std::vector<std::string> heads;
  for (const auto line : split(text, '\n')) {
    const auto row = wide_columns(line);
    if (row.empty()) continue;
    if (equal_ignoring_case(row[0], "NPU ID")) {
      heads = row;
      continue;
    }
    auto logic = column_of(heads, "Chip Logic ID");
    if (logic == heads.size()) logic = column_of(heads, "Chip Phy-ID");
    const auto id = word_at(row, logic);
    if (heads.empty() || !parse_unsigned(id)) continue;
    mapping[{word_at(row, column_of(heads, "NPU ID")), word_at(row, column_of(heads, "Chip ID"))}] =
        id;
  }
  return mapping;
}

std::map<std::string, std::map<std::string, std::string>> parse_npu_common(std::string_view text) {
  std::map<std::string, std::map<std::string, std::string>> chips;
  std::string chip = "0";
  bool controller = false;
  for (const auto line : split(text, '\n')) {
    const auto colon = line.find(" : ");
    if (colon == std::string_view::npos) continue;
    std::string key;
    for (const char c : lower(line.substr(0, colon)))
      if (c != ' ' && c != '\t') key += c;
    const auto value = std::string(trim(line.substr(colon + 3)));
    if (key == "chipname") controller = equal_ignoring_case(value, "mcu");
    if (key == "chipid") {
      chip = value;
      controller = false;
    }
    if (!controller) chips[chip].emplace(key, value);
  }
  return chips;
}

}  // namespace zl::backends
