#pragma once
// Finding the few bytes that matter, sixteen at a time where the processor can. Inside the ir
// room only.

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <string_view>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace zl::ir {

/// One bit a byte for the 64 bytes from `at`: quotes, newlines, `l` of `l??(`, `c` of `c??????_`.
/// Reads 71 bytes.
inline std::uint64_t event_mask(const char* at) {
#if defined(__SSE2__)
  const auto load = [](const char* from) {
    return _mm_loadu_si128(reinterpret_cast<const __m128i*>(from));
  };
  const auto same = [](__m128i bytes, char c) { return _mm_cmpeq_epi8(bytes, _mm_set1_epi8(c)); };
  const auto sixteen = [&](const char* from) {
    const __m128i bytes = load(from);
    const __m128i plain = _mm_or_si128(same(bytes, '"'), same(bytes, '\n'));
    const __m128i loc = _mm_and_si128(same(bytes, 'l'), same(load(from + 3), '('));
    const __m128i convert = _mm_and_si128(same(bytes, 'c'), same(load(from + 7), '_'));
    const __m128i any = _mm_or_si128(plain, _mm_or_si128(loc, convert));
    return static_cast<std::uint64_t>(static_cast<std::uint32_t>(_mm_movemask_epi8(any)));
  };
  // Written out: a loop over the four would not be unrolled at -O2.
  return sixteen(at) | sixteen(at + 16) << 16U | sixteen(at + 32) << 32U | sixteen(at + 48) << 48U;
#else
  std::uint64_t mask = 0;
  for (unsigned i = 0; i < 64; ++i) {
    const bool hit = at[i] == '"' || at[i] == '\n' || (at[i] == 'l' && at[i + 3] == '(') ||
                     (at[i] == 'c' && at[i + 7] == '_');
    mask |= std::uint64_t{hit} << i;
  }
  return mask;
#endif
}

/// Walks over the bytes at which something may happen. The text is followed by at least
/// canonical_padding readable bytes.
class EventScanner {
 public:
  EventScanner(const char* begin, const char* end) : block_(begin), end_(end) {
    if (begin < end) mask_ = event_mask(begin);
  }
  /// The first event at or after `from`, which never goes back; the end where there is none.
  const char* next(const char* from) {
    if (from >= end_) return end_;
    if (from - block_ >= 64) {
      block_ = from;
      mask_ = event_mask(block_);
    } else {
      mask_ &= ~std::uint64_t{0} << static_cast<unsigned>(from - block_);
    }
    for (;;) {
      while (mask_ == 0) {
        block_ += 64;
        if (block_ >= end_) return end_;
        mask_ = event_mask(block_);
      }
      const char* at = block_ + std::countr_zero(mask_);
      if (at >= end_) return end_;
      if (*at == 'l' && (at[1] != 'o' || at[2] != 'c')) {
        mask_ &= mask_ - 1;
        continue;
      }
      return at;
    }
  }

 private:
  const char* block_;
  const char* end_;
  std::uint64_t mask_ = 0;
};

/// The first byte from `at` that is one of four, or `end`. Reads up to 15 bytes past the end.
template <char A, char B, char C, char D>
const char* find_any(const char* at, const char* end) {
#if defined(__SSE2__)
  for (; at < end; at += 16) {
    const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(at));
    const auto same = [&](char c) { return _mm_cmpeq_epi8(bytes, _mm_set1_epi8(c)); };
    const __m128i hits =
        _mm_or_si128(_mm_or_si128(same(A), same(B)), _mm_or_si128(same(C), same(D)));
    const auto mask = static_cast<std::uint32_t>(_mm_movemask_epi8(hits));
    if (mask != 0) return std::min(at + std::countr_zero(mask), end);
  }
  return end;
#else
  while (at < end && *at != A && *at != B && *at != C && *at != D) ++at;
  return at;
#endif
}

/// Copies `size` bytes in steps of 16 and may write up to 15 bytes more; for the short pieces of
/// lines, where a call of memcpy costs as much as the copy. Reads up to 15 bytes more too.
inline void copy_padded(char* to, const char* from, std::size_t size) {
  if (size > 512) {
    std::memcpy(to, from, size);
    return;
  }
  for (std::size_t done = 0; done < size; done += 16) std::memcpy(to + done, from + done, 16);
}

/// As text.find(needle, from), by comparing the first and the last byte of the needle at once.
/// The text is followed by at least 16 readable bytes.
inline std::size_t find_text(std::string_view text, std::string_view needle, std::size_t from) {
#if defined(__SSE2__)
  const auto load = [](const char* at) {
    return _mm_loadu_si128(reinterpret_cast<const __m128i*>(at));
  };
  const std::size_t last = needle.size() - 1;
  if (text.size() < needle.size()) return std::string_view::npos;
  const __m128i first_byte = _mm_set1_epi8(needle.front()),
                last_byte = _mm_set1_epi8(needle.back());
  for (std::size_t at = from; at + needle.size() <= text.size(); at += 16) {
    const __m128i hits = _mm_and_si128(_mm_cmpeq_epi8(load(text.data() + at), first_byte),
                                       _mm_cmpeq_epi8(load(text.data() + at + last), last_byte));
    for (auto mask = static_cast<std::uint32_t>(_mm_movemask_epi8(hits)); mask != 0;
         mask &= mask - 1) {
      const auto hit = at + static_cast<std::size_t>(std::countr_zero(mask));
      if (hit + needle.size() > text.size()) return std::string_view::npos;
      if (std::memcmp(text.data() + hit, needle.data(), needle.size()) == 0) return hit;
    }
  }
  return std::string_view::npos;
#else
  return text.find(needle, from);
#endif
}

}  // namespace zl::ir
