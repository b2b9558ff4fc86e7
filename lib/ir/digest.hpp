#pragma once
// 128-bit digests by XXH3 (libxxhash): the question is accident, not forgery, 128 bits leave no
// room for accidents, and it costs a tenth of what the canonical pass costs (BLAKE3: several times
// that).

#include <compare>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace zl::ir {

struct Digest {
  std::uint64_t high = 0, low = 0;
  // clang-tidy 14 takes the 0 in the code that the compiler makes for a null pointer.
  // NOLINTNEXTLINE(modernize-use-nullptr)
  auto operator<=>(const Digest&) const = default;
  /// 32 hexadecimal digits.
  std::string hex() const;
};

/// A digest over bytes that come in pieces.
class Hasher {
 public:
  explicit Hasher(std::uint64_t seed);
  ~Hasher();
  Hasher(const Hasher&) = delete;
  Hasher& operator=(const Hasher&) = delete;
  /// Begins anew.
  void reset();
  void add(std::string_view bytes);
  Digest digest() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
  std::uint64_t seed_;
};

/// A seed from a text.
std::uint64_t seed_of(std::string_view text);

}  // namespace zl::ir
