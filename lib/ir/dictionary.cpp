#include "ir/dictionary.hpp"

#include <algorithm>

#include "ir/lexical.hpp"

namespace zl::ir {

namespace {

struct Range {
  std::size_t begin = 0, end = 0;
};

/// The last token before a place, in the text as it will be.
struct Previous {
  char last = 0;        ///< its last byte; 0 at the line's begin
  std::size_t end = 0;  ///< past it
};

enum class Expect { key, after_key, value };

struct Entry {
  std::size_t begin = 0, end = 0;  ///< first byte of the key; past the last byte that is not blank
  bool stripped = false;
};

/// An open bracket.
struct Level {
  char bracket = 0;
  std::size_t open = 0;        ///< where the bracket stands
  std::size_t outer_open = 0;  ///< where what goes with it begins: `attributes`, or `<` of `<{`
  bool keyword = false;        ///< `attributes` stands before it
  bool angle = false;          ///< `<{ … }>`
  Previous before;             ///< the last token before outer_open
  bool dictionary = true;      ///< nothing yet that a dictionary cannot hold
  Expect expect = Expect::key;
  std::size_t first_entry = 0;  ///< index into entries
};

class Stripper {
 public:
  Stripper(std::string_view line, const std::vector<std::string>& prefixes)
      : line_(line), prefixes_(prefixes) {}

  std::string run() {
    while (at_ < line_.size() && sound_) step();
    if (!sound_ || removed_.empty()) return std::string(line_);
    return without_removed();
  }

 private:
  void step() {
    const char c = line_[at_];
    if (is(c, lexical::blank)) {
      ++at_;
    } else if (c == '"') {
      const char* end = string_end(line_.data() + at_, line_.data() + line_.size());
      key_or_word(static_cast<std::size_t>(end - line_.data()), at_ + 1);
    } else if (is(c, lexical::word) && c != '-') {
      word();
    } else {
      punctuation(c);
    }
  }

  std::size_t skip_blanks(std::size_t from) const {
    while (from < line_.size() && is(line_[from], lexical::blank)) ++from;
    return from;
  }
  char byte(std::size_t at) const { return at < line_.size() ? line_[at] : '\n'; }
  bool in_dictionary() const {
    return !levels_.empty() && levels_.back().bracket == '{' && levels_.back().dictionary;
  }

  void word() {
    auto end = at_;
    while (end < line_.size() && is(line_[end], lexical::word) &&
           !(line_[end] == '-' && byte(end + 1) == '>'))
      ++end;
    if (line_.substr(at_, end - at_) == "attributes") {
      const auto brace = skip_blanks(end);
      if (byte(brace) == '{') {
        open_brace(brace, at_, true, false);
        return;
      }
    }
    key_or_word(end, at_);
  }

  /// A token that could be a key; `name` is where the key's name begins.
  void key_or_word(std::size_t end, std::size_t name) {
    if (in_dictionary()) {
      auto& level = levels_.back();
      if (level.expect == Expect::key && !(line_[name] >= '0' && line_[name] <= '9')) {
        const auto text = line_.substr(name, end - name);
        const bool stripped =
            std::any_of(prefixes_.begin(), prefixes_.end(),
                        [&](const auto& prefix) { return text.starts_with(prefix); });
        entries_.push_back({at_, end, stripped});
        level.expect = Expect::after_key;
      } else {
        other_token();
      }
    }
    advance(end);
  }

  void advance(std::size_t end) {
    previous_ = {line_[end - 1], end};
    at_ = end;
  }

  /// A token that is no key: where a key or its `=` is due, this is no dictionary.
  void other_token() {
    if (in_dictionary() && levels_.back().expect != Expect::value)
      levels_.back().dictionary = false;
  }

  void punctuation(char c) {
    switch (c) {
      case '{':
        open_brace(at_, at_, false, false);
        return;
      case '<':
        if (byte(at_ + 1) == '{' && at_ > 0 && is(line_[at_ - 1], lexical::blank)) {
          open_brace(at_ + 1, at_, false, true);
          return;
        }
        if (byte(at_ + 1) == '=') {
          other_token();
          advance(at_ + 2);
          return;
        }
        [[fallthrough]];
      case '(':
      case '[':
        open(c);
        return;
      case '}':
      case ')':
      case ']':
        close(c);
        return;
      case '>':
        close_angle();
        return;
      case '-':
        other_token();
        advance(at_ + (byte(at_ + 1) == '>' ? 2 : 1));
        return;
      case ',':
        if (in_dictionary()) end_entry(Expect::key);
        break;
      case '=':
        if (in_dictionary()) {
          if (levels_.back().expect == Expect::after_key)
            levels_.back().expect = Expect::value;
          else
            other_token();
        }
        break;
      default:
        other_token();
    }
    advance(at_ + 1);
  }

  void open(char bracket) {
    other_token();
    Level level;
    level.bracket = bracket;
    level.open = at_;
    push(level);
    advance(at_ + 1);
  }

  void push(const Level& level) {
    levels_.push_back(level);
    // Nothing that a compiler prints is nested that deep; it bounds the memory.
    if (levels_.size() > 4096) sound_ = false;
  }

  void open_brace(std::size_t brace, std::size_t outer, bool keyword, bool angle) {
    Level level;
    level.bracket = '{';
    level.open = brace;
    level.outer_open = outer;
    level.keyword = keyword;
    level.angle = angle;
    level.before = previous_;
    level.first_entry = entries_.size();
    push(level);
    advance(brace + 1);
  }

  /// A comma or the closing brace of a dictionary.
  void end_entry(Expect next) {
    auto& level = levels_.back();
    if (level.expect == Expect::key) {
      level.dictionary = false;
    } else {
      entries_.back().end = previous_.end;
      level.expect = next;
    }
  }

  void close_angle() {
    const bool comparison = byte(at_ + 1) == '=';
    if (!comparison && !levels_.empty() && levels_.back().bracket == '<')
      levels_.pop_back();
    else
      other_token();
    advance(at_ + (comparison ? 2 : 1));
  }

  void close(char bracket) {
    // `<` also compares, so one that was never closed means nothing.
    while (!levels_.empty() && levels_.back().bracket == '<') levels_.pop_back();
    if (levels_.empty()) {
      advance(at_ + 1);
      return;
    }
    const char opener = levels_.back().bracket;
    if ((opener == '{') != (bracket == '}') || (opener == '(') != (bracket == ')')) {
      sound_ = false;
      return;
    }
    if (opener == '{') {
      close_brace();
    } else {
      levels_.pop_back();
      advance(at_ + 1);
    }
  }

  void close_brace() {
    auto& top = levels_.back();
    const bool empty = entries_.size() == top.first_entry && top.expect == Expect::key;
    if (top.dictionary && !empty) end_entry(Expect::value);
    const Level level = levels_.back();
    levels_.pop_back();
    std::size_t after = at_ + 1;
    if (level.angle) {
      if (byte(after) != '>') {
        sound_ = false;
        return;
      }
      ++after;
    }
    const bool gone = level.dictionary && !empty && strip_entries(level, after);
    entries_.resize(level.first_entry);
    if (gone) {
      previous_ = level.before;
      at_ = after;
    } else {
      other_token();
      advance(after);
    }
  }

  /// Marks what goes from a closed dictionary; true when the whole of it goes.
  bool strip_entries(const Level& level, std::size_t after) {
    const auto first = entries_.begin() + static_cast<std::ptrdiff_t>(level.first_entry);
    const auto kept =
        std::find_if(first, entries_.end(), [](const Entry& e) { return !e.stripped; });
    if (kept == entries_.end()) {
      if (is_trailing(level, after)) {
        removed_.push_back({level.before.end, after});
        return true;
      }
      removed_.push_back({level.open + 1, at_});
      return false;
    }
    if (kept != first) removed_.push_back({first->begin, kept->begin});
    for (auto entry = kept + 1; entry != entries_.end(); ++entry)
      if (entry->stripped) removed_.push_back({(entry - 1)->end, entry->end});
    return false;
  }

  /// Whether a dictionary stands where the printer leaves out an empty one: after the operation's
  /// or argument's own text and a blank, not as a value.
  bool is_trailing(const Level& level, std::size_t after) const {
    const auto& before = level.before;
    if (before.last == 0 || before.end == level.outer_open) return false;
    if (!is(before.last, lexical::word) &&
        std::string_view("\")]}>").find(before.last) == std::string_view::npos)
      return false;
    return after == line_.size() ||
           (is(line_[after], lexical::after_piece) && line_[after] != '{' && line_[after] != '=' &&
            line_[after] != ';');
  }

  std::string without_removed() {
    std::sort(removed_.begin(), removed_.end(),
              [](const Range& a, const Range& b) { return a.begin < b.begin; });
    std::string result;
    std::size_t done = 0;
    for (const auto& range : removed_) {
      if (range.begin > done) result += line_.substr(done, range.begin - done);
      done = std::max(done, range.end);
    }
    result += line_.substr(std::min(done, line_.size()));
    return result;
  }

  std::string_view line_;
  const std::vector<std::string>& prefixes_;
  std::size_t at_ = 0;
  bool sound_ = true;
  Previous previous_;
  std::vector<Level> levels_;
  std::vector<Entry> entries_;
  std::vector<Range> removed_;
};

}  // namespace

std::string without_entries(std::string_view line, const std::vector<std::string>& prefixes) {
  return Stripper(line, prefixes).run();
}

}  // namespace zl::ir
