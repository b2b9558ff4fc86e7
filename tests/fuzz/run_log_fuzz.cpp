// Logs of every kind: the same rows by stream and with CRLF, none with an unwritable number, and no
// error but for a malformed report.

#include <sstream>

#include "formats/run_log.hpp"
#include "fuzz.hpp"
#include "report/measurements.hpp"

using namespace zl;
using fuzz::require;

namespace {

/// The rows as text, so that they can be compared.
std::string read(std::string_view text, bool by_stream) {
  formats::Diagnostics diagnostics;
  std::istringstream in{std::string(text)};
  const auto rows = by_stream ? formats::read_run_log(in, "log", diagnostics)
                              : formats::read_run_log(text, "log", diagnostics);
  std::string all;
  for (const auto& row : rows) {
    require(!row.latency_ms || *row.latency_ms - *row.latency_ms == 0, "a latency is finite");
    all += formats::tsv_line(formats::measured_row_fields(row));
    all += report::size_key(row.size) + "\n";
  }
  return all;
}

std::string with_crlf(std::string_view text) {
  std::string all;
  for (const char c : text) all += c == '\n' ? "\r\n" : std::string(1, c);
  return all;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto text = fuzz::text_of(data, size);
  fuzz::input_errors_only([&] {
    const auto rows = read(text, false);
    require(read(text, true) == rows, "a stream gives the same rows");
    require(read(with_crlf(text), false) == rows, "CRLF gives the same rows");
  });
  return 0;
}
