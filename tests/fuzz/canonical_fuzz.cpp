// The canonical form of any bytes: no crash, idempotent, and never longer than its input but for
// the newline at the end.

#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "ir/canonical.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::vector<std::string> strip = {"ttg.rlc-", "z."};
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto once = zl::ir::canonical(text, strip);
  if (once.size() > text.size() + 1) std::abort();
  if (zl::ir::canonical(once, strip) != once) std::abort();
  return 0;
}
