// What vendors'\'' tools print, in their text forms: no crash.

#include <cstdint>
#include <cstdlib>
#include <sstream>
#include <string>
#include <string_view>

#include "backends/cuda_smi.hpp"
#include "backends/npu_smi.hpp"
#include "backends/quantity.hpp"
#include "base/error.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  try {
    (void)zl::backends::parse_smi_csv(text);
    (void)zl::backends::parse_smi_list(text);
    (void)zl::backends::parse_npu_table(text);
    (void)zl::backends::parse_npu_mapping(text);
    (void)zl::backends::parse_npu_common(text);
  } catch (const zl::Error& error) {
    // Malformed input is an input error; anything else would blame the surroundings.
    if (error.kind() != zl::ErrorKind::input && error.kind() != zl::ErrorKind::environment)
      std::abort();
  }
  return 0;
}
