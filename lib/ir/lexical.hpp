#pragma once
// The few lexical facts about MLIR text that the canonical form needs. Inside the ir room only.

#include <array>
#include <string_view>

namespace zl::ir {

namespace lexical {

enum : unsigned char {
  word = 1,         ///< may stand inside an identifier
  before_loc = 2,   ///< may stand directly before `loc(`
  after_piece = 4,  ///< may stand directly after something that is taken out
  blank = 8,
};

constexpr std::array<unsigned char, 256> make_classes() {
  std::array<unsigned char, 256> classes{};
  const auto add = [&](std::string_view members, unsigned bits) {
    for (const char c : members) {
      auto& entry = classes[static_cast<unsigned char>(c)];
      entry = static_cast<unsigned char>(entry | bits);
    }
  };
  add("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_$.-", word);
  add(" \t\r,([{<=", before_loc);
  add(" \t\r\n,)]}>:=;{", after_piece);
  add(" \t\r", blank);
  return classes;
}
inline constexpr auto classes = make_classes();

}  // namespace lexical

inline bool is(char c, unsigned char of) {
  return (lexical::classes[static_cast<unsigned char>(c)] & of) != 0;
}

/// The end of the string whose opening quote stands at `at`: past its closing quote, or at the
/// newline or `end` that cuts it short.
inline const char* string_end(const char* at, const char* end) {
  for (++at; at < end; ++at) {
    if (*at == '"') return at + 1;
    if (*at == '\n') return at;
    if (*at == '\\' && at + 1 < end && at[1] != '\n') ++at;
  }
  return end;
}

}  // namespace zl::ir
