// run_identity.json: what was read prints to something that reads to the same print.

#include <cstdint>
#include <cstdlib>
#include <sstream>
#include <string>
#include <string_view>

#include "base/error.hpp"
#include "formats/run_identity.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  try {
    const auto once = zl::formats::print_run_identity(zl::formats::parse_run_identity(text, "id"));
    if (zl::formats::print_run_identity(zl::formats::parse_run_identity(once, "id")) != once)
      std::abort();
  } catch (const zl::Error& error) {
    // Malformed input is an input error; anything else would blame the surroundings.
    if (error.kind() != zl::ErrorKind::input) std::abort();
  }
  return 0;
}
