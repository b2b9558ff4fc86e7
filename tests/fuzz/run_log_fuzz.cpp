// Logs of every kind: no crash, and no row without an operator.

#include <cstdint>
#include <cstdlib>
#include <sstream>
#include <string>
#include <string_view>

#include "base/error.hpp"
#include "formats/run_log.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  try {
    zl::formats::Diagnostics diagnostics;
    const auto rows = zl::formats::read_run_log(std::string_view(text), "log", diagnostics);
    for (const auto& row : rows)
      if (row.latency_ms && !(*row.latency_ms == *row.latency_ms)) std::abort();  // NaN
  } catch (const zl::Error& error) {
    // Malformed input is an input error; anything else would blame the surroundings.
    if (error.kind() != zl::ErrorKind::input) std::abort();
  }
  return 0;
}
