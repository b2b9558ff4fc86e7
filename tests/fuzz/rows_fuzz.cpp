// Rows in either form: whatever is read can be written and read again, to the same fields.

#include <cstdint>
#include <cstdlib>
#include <sstream>
#include <string>
#include <string_view>

#include "base/error.hpp"
#include "formats/rows.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  try {
    std::istringstream in(text);
    zl::formats::RowReader reader(in, "in");
    zl::formats::Row row;
    while (reader.next(row)) {
      if (reader.is_json() || row.fields.size() < 2) continue;
      const auto line = zl::formats::tsv_line(row.fields);
      std::string header;
      for (std::size_t i = 0; i < row.fields.size(); ++i)
        header += (i == 0 ? "c" : "\tc") + std::to_string(i);
      std::istringstream whole(header + "\n" + line);
      zl::formats::RowReader second(whole, "again");
      zl::formats::Row copy;
      if (!second.next(copy) || copy.fields != row.fields) std::abort();
    }
  } catch (const zl::Error& error) {
    // Malformed input is an input error; anything else would blame the surroundings.
    if (error.kind() != zl::ErrorKind::input) std::abort();
  }
  return 0;
}
