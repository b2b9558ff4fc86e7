#include "ir/canonical.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>

#include "ir/dictionary.hpp"
#include "ir/lexical.hpp"
#include "ir/scan.hpp"

namespace zl::ir {

namespace {

constexpr std::string_view conversion_name = "convert_layout";

/// Whether a conversion's operation name has its `convert_layout` at `at`: the dialect stands
/// before it, and no longer name is meant.
bool is_conversion(const char* begin, const char* at, const char* end) {
  if (static_cast<std::size_t>(end - at) < conversion_name.size() ||
      std::memcmp(at, conversion_name.data(), conversion_name.size()) != 0)
    return false;
  const char* after = at + conversion_name.size();
  if (after < end && is(*after, lexical::word)) return false;
  for (const std::string_view dialect : {"ttg.", "triton_gpu."}) {
    if (static_cast<std::size_t>(at - begin) < dialect.size()) continue;
    const char* start = at - dialect.size();
    if (std::memcmp(start, dialect.data(), dialect.size()) != 0) continue;
    // `#ttg.`, `!ttg.` and `@ttg.` are not operations.
    return start == begin || is(start[-1], lexical::blank) || start[-1] == '\n' || start[-1] == '"';
  }
  return false;
}

/// As string_end, for text with padding behind it.
const char* padded_string_end(const char* at, const char* end) {
  for (++at; (at = find_any<'"', '\\', '\n', '\n'>(at, end)) < end; ++at) {
    if (*at == '"') return at + 1;
    if (*at == '\n') return at;
    if (at + 1 < end && at[1] != '\n') ++at;
  }
  return end;
}

/// Past the `)` that closes the location at `at`; null where it does not close on its line.
const char* location_end(const char* at, const char* end) {
  int depth = 0;
  for (at += 3; (at = find_any<'(', ')', '"', '\n'>(at, end)) < end;) {
    switch (*at) {
      case '(':
        ++depth;
        break;
      case ')':
        if (--depth == 0) return at + 1;
        break;
      case '"':
        at = padded_string_end(at, end);
        continue;
      default:
        return nullptr;
    }
    ++at;
  }
  return nullptr;
}

/// One call's work: pieces of the input that are kept are copied as they become known.
class Pass {
 public:
  Pass(const char* begin, const char* end, char* out, TextFacts& facts)
      : begin_(begin),
        end_(end),
        kept_(begin),
        line_(begin),
        out_(out),
        out_line_(out),
        facts_(facts) {}

  char* run() {
    begin_line();
    EventScanner events(kept_, end_);
    for (const char* at = events.next(kept_); at < end_;) {
      const char* resume = at + 1;
      switch (*at) {
        case '\n':
          finish_line(at);
          begin_line();
          resume = kept_;
          break;
        case '"':
          resume = padded_string_end(at, end_);
          if (resume - at == 20 || resume - at == 27) count_quoted(at, resume);
          break;
        case 'l':
          resume = location(at);
          break;
        default:
          facts_.conversions += is_conversion(begin_, at, end_) ? 1 : 0;
      }
      at = events.next(resume);
    }
    if (line_ < end_) finish_line(end_);  // the last line, without its newline
    return out_;
  }

 private:
  /// The operation's name in the generic form, a string of its own.
  void count_quoted(const char* at, const char* resume) {
    const std::string_view name(at, static_cast<std::size_t>(resume - at));
    if (name == "\"ttg.convert_layout\"" || name == "\"triton_gpu.convert_layout\"")
      ++facts_.conversions;
  }

  void keep(const char* until) {
    const auto size = static_cast<std::size_t>(until - kept_);
    copy_padded(out_, kept_, size);
    out_ += size;
  }

  void drop_blanks() {
    while (out_ > out_line_ && is(out_[-1], lexical::blank)) --out_;
  }

  const char* location(const char* at) {
    if (at > line_ && !is(at[-1], lexical::before_loc)) return at + 1;
    if (at < no_more_locations_until_) return at + 1;
    const char* after = location_end(at, end_);
    if (after == nullptr || (after < end_ && !is(*after, lexical::after_piece))) {
      // Nothing else on this line is believed either, which keeps the pass linear.
      const void* newline = std::memchr(at, '\n', static_cast<std::size_t>(end_ - at));
      no_more_locations_until_ = newline != nullptr ? static_cast<const char*>(newline) : end_;
      return at + 1;
    }
    keep(at);
    drop_blanks();
    kept_ = after;
    return after;
  }

  void finish_line(const char* newline) {
    keep(newline);
    drop_blanks();
    if (out_ - out_line_ >= 6 && std::memcmp(out_line_, "module", 6) == 0) facts_.module = true;
    if (out_ > out_line_) facts_.closed = out_[-1] == '}' && *out_line_ != ' ';
    *out_++ = '\n';
    out_line_ = out_;
    kept_ = newline < end_ ? newline + 1 : end_;
  }

  /// Moves past the lines that only define a location.
  void begin_line() {
    while (end_ - kept_ >= 4 && std::memcmp(kept_, "#loc", 4) == 0) {
      const char* at = kept_ + 4;
      while (at < end_ && is(*at, lexical::word)) ++at;
      while (at < end_ && *at == ' ') ++at;
      if (at == end_ || *at++ != '=') break;
      while (at < end_ && *at == ' ') ++at;
      if (end_ - at < 5 || std::memcmp(at, "loc(", 4) != 0) break;
      at = location_end(at, end_);
      if (at == nullptr) break;
      while (at < end_ && is(*at, lexical::blank)) ++at;
      if (at < end_ && *at != '\n') break;
      kept_ = at < end_ ? at + 1 : end_;
    }
    line_ = kept_;
  }

  const char* const begin_;
  const char* const end_;
  const char* kept_;  ///< begin of the input that is not written yet
  const char* line_;
  char* out_;
  char* out_line_;
  const char* no_more_locations_until_ = nullptr;
  TextFacts& facts_;
};

char* without_locations(std::string_view text, char* out, TextFacts& facts) {
  return Pass(text.data(), text.data() + text.size(), out, facts).run();
}

/// A line that names one of the prefixes: locations first, then the entries, and once more over
/// what is left, which counts it.
char* marked_line(std::string_view line, const std::vector<std::string>& strip, char* out,
                  TextFacts& facts) {
  std::string plain(line.size() + 1 + canonical_padding, '\0');
  TextFacts ignored;
  const char* end = without_locations(line, plain.data(), ignored);
  if (end == plain.data()) return out;  // it defined a location
  plain.resize(static_cast<std::size_t>(end - plain.data()) - 1);
  std::string left = without_entries(plain, strip) + '\n';
  const auto size = left.size();
  left.append(canonical_padding, '\0');
  return without_locations({left.data(), size}, out, facts);
}

/// The places of the next mark, one search a prefix; a place is looked up again only once it is
/// behind, so that many prefixes and many marks do not multiply.
class Marks {
 public:
  Marks(std::string_view text, const std::vector<std::string>& strip)
      : text_(text), strip_(strip), next_(strip.size(), 0) {
    for (std::size_t i = 0; i < strip_.size(); ++i) next_[i] = find_text(text_, strip_[i], 0);
  }
  std::size_t first(std::size_t from) {
    std::size_t first = std::string_view::npos;
    for (std::size_t i = 0; i < strip_.size(); ++i) {
      if (next_[i] < from) next_[i] = find_text(text_, strip_[i], from);
      first = std::min(first, next_[i]);
    }
    return first;
  }

 private:
  std::string_view text_;
  const std::vector<std::string>& strip_;
  std::vector<std::size_t> next_;
};

}  // namespace

char* canonical_lines(std::string_view text, const std::vector<std::string>& strip, char* out,
                      TextFacts& facts) {
  Marks marks(text, strip);
  std::size_t done = 0;
  while (done < text.size()) {
    const auto mark = marks.first(done);
    if (mark == std::string_view::npos) return without_locations(text.substr(done), out, facts);
    const auto before = text.rfind('\n', mark);
    const auto line = before == std::string_view::npos || before < done ? done : before + 1;
    const auto end = std::min(text.find('\n', mark), text.size());
    if (line > done) out = without_locations(text.substr(done, line - done), out, facts);
    out = marked_line(text.substr(line, end - line), strip, out, facts);
    done = end + 1;
  }
  return out;
}

std::string canonical(std::string_view text, const std::vector<std::string>& strip,
                      TextFacts* facts) {
  TextFacts local;
  auto& seen = facts != nullptr ? *facts : local;
  std::string result;
  std::string in, out;
  while (!text.empty()) {
    // Up to the first line that is too long, then that line.
    std::size_t size = 0, next = 0;
    while (size < text.size()) {
      const auto newline = std::min(text.find('\n', size), text.size());
      next = std::min(newline + 1, text.size());
      if (newline - size >= longest_line) break;
      size = next;
    }
    in.assign(text.substr(0, size)).append(canonical_padding, '\0');
    out.resize(size + 1 + canonical_padding);
    const char* end = canonical_lines({in.data(), size}, strip, out.data(), seen);
    result.append(out.data(), static_cast<std::size_t>(end - out.data()));
    if (size < text.size()) {
      result += text.substr(size, next - size);
      size = next;
    }
    text.remove_prefix(size);
  }
  return result;
}

}  // namespace zl::ir
