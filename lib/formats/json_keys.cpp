#include "formats/json_keys.hpp"

#include <boost/json.hpp>
#include <set>
#include <vector>

namespace zl::formats {

namespace json = boost::json;

namespace {

std::size_t members(const json::value& value) {
  std::size_t count = 0;
  if (const auto* object = value.if_object())
    for (const auto& member : *object) count += 1 + members(member.value());
  if (const auto* array = value.if_array())
    for (const auto& element : *array) count += members(element);
  return count;
}

/// The byte behind the string that begins at `at`.
std::size_t string_end(std::string_view text, std::size_t at) {
  for (++at; at < text.size() && text[at] != '"'; ++at)
    if (text[at] == '\\') ++at;
  return at + 1;
}

/// Members as they were written, repeated ones included: each has one colon outside of strings.
std::size_t written_members(std::string_view text) {
  std::size_t count = 0;
  for (std::size_t at = 0; at < text.size();) {
    if (text[at] == ':') ++count;
    at = text[at] == '"' ? string_end(text, at) : at + 1;
  }
  return count;
}

std::string decoded(std::string_view quoted) {
  const auto value = json::parse({quoted.data(), quoted.size()});
  return {value.get_string().data(), value.get_string().size()};
}

}  // namespace

std::optional<RepeatedKey> repeated_key(std::string_view text, const json::value& value) {
  if (members(value) == written_members(text)) return std::nullopt;  // nearly always
  std::vector<std::set<std::string>> open;
  for (std::size_t at = 0; at < text.size();) {
    const char c = text[at];
    if (c == '{' || c == '[') open.emplace_back();
    if ((c == '}' || c == ']') && !open.empty()) open.pop_back();
    if (c != '"') {
      ++at;
      continue;
    }
    const auto end = string_end(text, at);
    const auto next = text.find_first_not_of(" \t\r\n", end);
    if (next != std::string_view::npos && text[next] == ':' && !open.empty()) {
      auto key = decoded(text.substr(at, end - at));
      if (!open.back().insert(key).second) return RepeatedKey{std::move(key), at};
    }
    at = end;
  }
  return std::nullopt;
}

}  // namespace zl::formats
