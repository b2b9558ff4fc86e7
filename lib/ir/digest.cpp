#include "ir/digest.hpp"

// The hash's own header, compiled in: the compiler then sees the loops.
#define XXH_INLINE_ALL
#include <xxhash.h>

#include <new>

namespace zl::ir {

std::string Digest::hex() const {
  constexpr std::string_view digits = "0123456789abcdef";
  std::string text;
  for (const auto half : {high, low})
    for (int shift = 60; shift >= 0; shift -= 4)
      text += digits[(half >> static_cast<unsigned>(shift)) & 0xFU];
  return text;
}

struct Hasher::State {
  XXH3_state_t state;
};

Hasher::Hasher(std::uint64_t seed) : state_(std::make_unique<State>()), seed_(seed) {
  reset();
}
Hasher::~Hasher() = default;

void Hasher::reset() {
  XXH3_128bits_reset_withSeed(&state_->state, seed_);
}

void Hasher::add(std::string_view bytes) {
  XXH3_128bits_update(&state_->state, bytes.data(), bytes.size());
}

Digest Hasher::digest() const {
  const auto hash = XXH3_128bits_digest(&state_->state);
  return {hash.high64, hash.low64};
}

std::uint64_t seed_of(std::string_view text) {
  return XXH3_64bits(text.data(), text.size());
}

}  // namespace zl::ir
