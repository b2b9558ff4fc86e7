#include "campaign/cards.hpp"

#include <algorithm>
#include <set>

#include "base/text.hpp"

namespace zl::campaign {

namespace {

/// A field of the column `visible`; nothing where it is empty.
std::optional<bool> truth(const formats::RowReader& reader, const formats::Row& row,
                          std::size_t column) {
  const auto& text = formats::RowReader::field(row, column);
  if (text.empty()) return std::nullopt;
  for (const char* yes : {"yes", "true", "1"})
    if (equal_ignoring_case(text, yes)) return true;
  for (const char* no : {"no", "false", "0"})
    if (equal_ignoring_case(text, no)) return false;
  throw reader.error_at(row, column, "expected yes or no, got " + in_quotes(text));
}

}  // namespace

std::vector<Card> named_cards(std::string_view list) {
  std::vector<Card> cards;
  std::set<std::string_view> seen;
  for (const auto part : split(list, ',')) {
    const auto name = trim(part);
    if (name.empty()) throw usage_error("an empty device name in " + in_quotes(list));
    if (!seen.insert(name).second)
      throw usage_error("device " + in_quotes(name) + " is named twice");
    cards.push_back({std::string(name), "", ""});
  }
  return cards;
}

std::vector<Card> numbered_cards(std::size_t count) {
  std::vector<Card> cards;
  for (std::size_t i = 0; i < count; ++i) cards.push_back({std::to_string(i), "", ""});
  return cards;
}

std::vector<Card> read_cards(formats::RowReader& reader, const std::string& name, bool all) {
  using formats::RowReader;
  std::vector<Card> cards;
  std::set<std::pair<std::string, std::string>> seen;
  std::size_t rows = 0;
  formats::Row row;
  if (!reader.is_json()) reader.require_column("index");
  for (; reader.next(row); ++rows) {
    const auto index = reader.require_column("index");
    const Card card{RowReader::field(row, index), RowReader::field(row, reader.column("host")),
                    RowReader::field(row, reader.column("name"))};
    if (card.device.empty())
      throw reader.error_at(row, index, "expected a device, got an empty field");
    if (!seen.emplace(card.host, card.device).second)
      throw reader.error_at(row, index,
                            "device " + in_quotes(card.device) + " appears twice" +
                                (card.host.empty() ? "" : " on host " + in_quotes(card.host)));
    const auto visible = reader.column("visible");
    if (!all && visible && truth(reader, row, *visible) == false) continue;
    cards.push_back(card);
  }
  if (cards.empty())
    throw input_error({name}, rows == 0 ? "no devices"
                                        : "none of the " + std::to_string(rows) +
                                              " devices is visible (--all takes them all)");
  return cards;
}

}  // namespace zl::campaign
