#pragma once
// SHA-256 (FIPS 180-4), for files whose identity is recorded.

#include <string>
#include <string_view>

namespace zl {

/// 64 lower-case hexadecimal digits.
std::string sha256_hex(std::string_view bytes);

}  // namespace zl
