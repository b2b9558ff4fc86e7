#include "formats/table_lines.hpp"

#include <algorithm>

#include "base/number.hpp"
#include "base/text.hpp"

namespace zl::formats {

namespace {

constexpr std::string_view title_words = "Performance Test";

/// The value of `key=` in `dtype=torch.float16, mode=kernel,level=core`.
std::string_view parameter(std::string_view parameters, std::string_view key) {
  for (const auto part : split(parameters, ',')) {
    const auto text = trim(part);
    if (text.starts_with(key) && text.substr(key.size()).starts_with('='))
      return trim(text.substr(key.size() + 1));
  }
  return {};
}

bool is_blank(char c) {
  return c == ' ' || c == '\t';
}

/// The next run of non-blank bytes from `at`; empty at the end. Moves `at` behind it. Loops, since
/// this runs several times a row: find_first_of calls memchr for every byte.
std::string_view next_word(std::string_view line, std::size_t& at) {
  while (at < line.size() && is_blank(line[at])) ++at;
  const auto first = at;
  while (at < line.size() && !is_blank(line[at])) ++at;
  return line.substr(first, at - first);
}

bool is_status(std::string_view word) {
  return !word.empty() && std::all_of(word.begin(), word.end(),
                                      [](char c) { return (c >= 'A' && c <= 'Z') || c == '_'; });
}

bool is_measure(std::string_view word) {
  return word == "N/A" || word == "nan" || word == "inf" || word == "-inf" ||
         parse_double(word).has_value();
}

/// Length of the bracketed text at the start, quotes respected; 0 where it does not close.
std::size_t bracketed(std::string_view text) {
  int depth = 0;
  char quote = '\0';
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quote != '\0') {
      if (c == '\\')
        ++i;
      else if (c == quote)
        quote = '\0';
    } else if (c == '\'' || c == '"') {
      quote = c;
    } else if (c == '[' || c == '(' || c == '{') {
      ++depth;
    } else if (c == ']' || c == ')' || c == '}') {
      if (--depth <= 0) return depth == 0 ? i + 1 : 0;
    }
  }
  return 0;
}

bool opens_bracket(std::string_view text) {
  return !text.empty() && (text.front() == '[' || text.front() == '(' || text.front() == '{');
}

/// Measures from `at` on into `row`; returns how many columns there were.
int read_measures(std::string_view line, std::size_t& at, const TableHeader& header,
                  TableRow& row) {
  int column = 0;
  for (;; ++column) {
    auto after = at;
    const auto word = next_word(line, after);
    if (word.empty() || !is_measure(word)) return column;
    if (column == header.base_column) row.base_ms = parse_double(word);
    if (column == header.latency_column) row.latency_ms = parse_double(word);
    at = after;
  }
}

std::optional<TableRow> parse_status_row(std::string_view line, const TableHeader& header) {
  std::size_t at = 0;
  TableRow row;
  row.status = next_word(line, at);
  if (!is_status(row.status)) return std::nullopt;
  const int columns = read_measures(line, at, header, row);
  while (at < line.size() && is_blank(line[at])) ++at;
  while (line.size() > at && is_blank(line.back())) line.remove_suffix(1);
  const auto rest = line.substr(at);
  // pytest's own `FAILED benchmark/test_x.py` begins like a row, but no measure follows.
  if (columns == 0) {
    if (rest.empty() && (row.status == "SUCCESS" || row.status == "FAILED")) return row;
    return std::nullopt;
  }
  const auto closed = bracketed(rest);
  row.size = closed != 0 ? rest.substr(0, closed) : rest;
  // Measures before the last named one, or a size detail that never closes: cut off.
  const bool has_size =
      !header.has_size_detail || (opens_bracket(rest) ? closed != 0 : !rest.empty());
  row.complete = has_size && columns > std::max(header.latency_column, header.base_column);
  return row;
}

std::optional<TableRow> parse_size_row(std::string_view line, const TableHeader& header) {
  line = trim(line);
  TableRow row;
  row.status = "SUCCESS";
  std::size_t at = opens_bracket(line) ? bracketed(line) : 0;
  if (at == 0) next_word(line, at);
  row.size = line.substr(0, at);
  const int columns = read_measures(line, at, header, row);
  if (columns == 0) return std::nullopt;
  const auto detail = trim(line.substr(at));
  if (header.has_size_detail && !detail.empty()) row.size = detail;
  row.complete = columns > std::max(header.latency_column, header.base_column) &&
                 (!opens_bracket(row.size) || bracketed(row.size) != 0);
  return row;
}

}  // namespace

std::optional<TableTitle> parse_table_title(std::string_view line) {
  const auto words = line.find(title_words);
  if (words == std::string_view::npos) return std::nullopt;
  const auto start = line.substr(0, words).rfind("Operator");
  if (start == std::string_view::npos) return std::nullopt;
  auto name = line.substr(start, words - start).substr(std::string_view("Operator").size());
  if (name.starts_with(':')) name.remove_prefix(1);
  if (!name.starts_with(' ') || trim(name).empty()) return std::nullopt;
  TableTitle title;
  title.op = trim(name);
  auto parameters = trim(line.substr(words + title_words.size()));
  if (!parameters.starts_with('(')) return std::nullopt;
  parameters = parameters.substr(1, parameters.rfind(')') - 1);
  if (parameters.find('=') == std::string_view::npos) {
    title.dtype = trim(parameters);
  } else {
    title.dtype = parameter(parameters, "dtype");
    title.mode = parameter(parameters, "mode");
    title.level = parameter(parameters, "level");
  }
  return title;
}

std::optional<TableHeader> parse_table_header(std::string_view line) {
  line = trim(line);
  TableHeader header;
  header.size_first = line.starts_with("Size ");
  if (!header.size_first && !line.starts_with("Status ")) return std::nullopt;
  if (line.find("Latency") == std::string_view::npos) return std::nullopt;
  int column = -1;  // the first name is no measure
  int latencies = 0;
  // Names hold single blanks, at least two stand between names.
  while (!line.empty()) {
    const auto end = line.find("  ");
    const auto name = trim(line.substr(0, end));
    line = end == std::string_view::npos ? std::string_view() : trim(line.substr(end));
    if (name == "Size Detail") header.has_size_detail = true;
    if (column >= 0 && name.find("Latency") != std::string_view::npos) {
      // Reference first, measured second, in every release; a single one is the measured.
      if (latencies++ == 1) header.base_column = header.latency_column;
      if (latencies <= 2) header.latency_column = column;
    }
    ++column;
  }
  if (latencies == 0) return std::nullopt;
  return header;
}

std::optional<TableRow> parse_table_row(std::string_view line, const TableHeader& header) {
  return header.size_first ? parse_size_row(line, header) : parse_status_row(line, header);
}

std::string_view plain_line(std::string_view line, std::string& buffer) {
  while (line.ends_with('\r')) line.remove_suffix(1);
  if (const auto overwritten = line.rfind('\r'); overwritten != std::string_view::npos)
    line.remove_prefix(overwritten + 1);
  if (line.find('\x1b') == std::string_view::npos) return line;
  buffer.clear();
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (line[i] != '\x1b') {
      buffer += line[i];
    } else if (i + 1 < line.size() && line[i + 1] == '[') {
      // A control sequence ends at its first byte from @ to ~.
      for (i += 2; i < line.size() && (line[i] < '@' || line[i] > '~');) ++i;
    } else if (i + 1 < line.size() && line[i + 1] == ']') {
      for (i += 2; i < line.size() && line[i] != '\a' && line[i] != '\x1b';) ++i;
    } else {
      ++i;
    }
  }
  return buffer;
}

}  // namespace zl::formats
