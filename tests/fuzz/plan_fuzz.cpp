// plan.tsv: no row without device, operator and rounds.

#include <cstdint>
#include <cstdlib>
#include <sstream>
#include <string>
#include <string_view>

#include "base/error.hpp"
#include "campaign/plan.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  try {
    std::istringstream in(text);
    zl::formats::RowReader reader(in, "plan");
    for (const auto& row : zl::campaign::read_plan(reader))
      if (row.op.empty() || row.device.empty() || row.rounds == 0) std::abort();
  } catch (const zl::Error& error) {
    // Malformed input is an input error; anything else would blame the surroundings.
    if (error.kind() != zl::ErrorKind::input) std::abort();
  }
  return 0;
}
