// ops_status.tsv: reads as it was written, whatever a crash left of its last line.

#include "campaign/ops_status.hpp"
#include "fuzz.hpp"

using namespace zl;
using fuzz::require;

namespace {

std::string read(std::string_view text) {
  const fuzz::File file(text);
  auto all = formats::tsv_header(campaign::ops_status_columns());
  for (const auto& row : campaign::read_ops_status(file.path()))
    all += formats::tsv_line(campaign::ops_status_fields(row));
  return all;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  fuzz::input_errors_only([&] {
    const auto once = read(fuzz::text_of(data, size));
    require(fuzz::without_error([&] { return read(once); }) == once,
            "a ledger prints as it was printed");
    require(fuzz::without_error([&] { return read(once + "half\ta li"); }) == once,
            "half a line is passed over");
  });
  return 0;
}
