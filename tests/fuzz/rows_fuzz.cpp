// Rows as TSV: whatever is read can be written and read again, to the same fields; so can the rows
// of a measurement.

#include <sstream>

#include "formats/measured_rows.hpp"
#include "formats/rows.hpp"
#include "fuzz.hpp"

using namespace zl;
using fuzz::require;

namespace {

void rows_survive(const std::string& text) {
  std::istringstream in(text);
  formats::RowReader reader(in, "in");
  formats::Row row;
  while (reader.next(row)) {
    for (std::size_t i = 0; i < row.fields.size(); ++i)
      require(row.field_column[i] <= text.size() + 1, "a field stands inside its line");
    // A table of one column writes an empty field as an empty line, which is no row.
    if (reader.is_json() || row.fields.size() < 2) continue;
    std::string header = "c0";
    for (std::size_t i = 1; i < row.fields.size(); ++i) header += "\tc" + std::to_string(i);
    std::istringstream whole(header + "\n" + formats::tsv_line(row.fields));
    fuzz::without_error([&] {
      formats::RowReader second(whole, "again");
      formats::Row copy;
      require(second.next(copy) && copy.fields == row.fields, "a row reads as it was written");
      require(!second.next(copy), "a row is one line");
    });
  }
}

std::string written(const std::vector<formats::MeasuredRow>& rows) {
  auto text = formats::tsv_header(formats::measured_row_columns());
  for (const auto& row : rows) text += formats::tsv_line(formats::measured_row_fields(row));
  return text;
}

std::vector<formats::MeasuredRow> measured(const std::string& text) {
  std::istringstream in(text);
  formats::RowReader reader(in, "in");
  return formats::read_measured_rows(reader);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(fuzz::text_of(data, size));
  fuzz::input_errors_only([&] { rows_survive(text); });
  fuzz::input_errors_only([&] {
    const auto once = written(measured(text));
    require(fuzz::without_error([&] { return written(measured(once)); }) == once,
            "measured rows read as they were written");
  });
  return 0;
}
