#pragma once
// The canonical form of MLIR text: what a compiler printed, without debug locations and without
// the attributes that a switch leaves as its mark. It works on lines, because the printer puts
// every location and every attribute dictionary on one line; so it streams and needs no parse.

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace zl::ir {

/// Lines of at least this many bytes are kept as they are.
constexpr std::size_t longest_line = std::size_t{1} << 20U;
/// Readable bytes that must follow the input, writable ones that must follow the output.
constexpr std::size_t canonical_padding = 128;

/// What is seen on the way.
struct TextFacts {
  std::size_t conversions = 0;  ///< ttg.convert_layout and triton_gpu.convert_layout, as operations
  bool module = false;          ///< a line begins with `module`
  bool closed = false;          ///< the last line that is not empty is not indented and ends in `}`
  /// A module whose closing brace is not there was cut short.
  bool complete() const { return !module || closed; }
};

/// Writes the canonical form of whole lines to `out` and returns its end. Each line ends in a
/// newline, also the last one. Gone are: `loc(…)` with the blanks before it; lines that define
/// `#loc…`; entries of attribute dictionaries whose key begins with one of `strip`, and the whole
/// dictionary where nothing is left of it and the printer would have left it out; CR, blanks and
/// tabs at line ends. A location that does not close on its line is kept.
/// `out` has room for `text` + 1 byte + padding, and does not overlap it.
char* canonical_lines(std::string_view text, const std::vector<std::string>& strip, char* out,
                      TextFacts& facts);

/// The same for a whole text of any size.
std::string canonical(std::string_view text, const std::vector<std::string>& strip,
                      TextFacts* facts = nullptr);

}  // namespace zl::ir
