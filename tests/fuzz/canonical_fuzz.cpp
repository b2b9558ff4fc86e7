// The canonical form of any bytes: idempotent, never longer than its input but for the newline at
// the end, and the same however the bytes come in.

#include "fuzz.hpp"
#include "ir/canonical.hpp"
#include "ir/kernel_reader.hpp"

using namespace zl;
using fuzz::require;

namespace {

struct Read {
  ir::KernelFacts facts;
  std::string text;
};

Read read_in_pieces(const ir::Criterion& criterion, std::string_view text, std::size_t piece) {
  static ir::KernelReader reader(criterion);
  Read read;
  read.facts = reader.read(
      "text",
      [&](char* to, std::size_t size) {
        const auto got = text.copy(to, std::min(size, piece));
        text.remove_prefix(got);
        return got;
      },
      &read.text);
  return read;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto text = fuzz::text_of(data, size);
  static const ir::Criterion criterion = [] {
    ir::Criterion made;
    made.strip = {"ttg.rlc-", "z."};
    return made;
  }();
  ir::TextFacts facts, again;
  const auto once = ir::canonical(text, criterion.strip, &facts);
  require(once.size() <= text.size() + 1, "the canonical form is not longer than its input");
  require(ir::canonical(once, criterion.strip, &again) == once, "the canonical form is idempotent");
  require(facts.conversions == again.conversions, "conversions are counted once");
  const auto whole = read_in_pieces(criterion, text, text.size() + 1);
  const auto pieces = read_in_pieces(criterion, text, size % 7 + 1);
  require(whole.text == pieces.text && whole.facts.digest == pieces.facts.digest &&
              whole.facts.conversions == pieces.facts.conversions,
          "a kernel does not depend on the pieces it comes in");
  require(whole.facts.bytes == whole.text.size(), "the bytes of the text are counted");
  const bool binary = text.substr(0, 8192).find('\0') != std::string_view::npos;
  require(whole.text == (binary ? std::string(text) : once), "a kernel is its canonical form");
  return 0;
}
