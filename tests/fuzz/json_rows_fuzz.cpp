// JSON: a document prints to one that prints the same, and rows as JSON Lines read as they were
// written.

#include <boost/json.hpp>
#include <sstream>

#include "base/text.hpp"
#include "formats/json.hpp"
#include "formats/rows.hpp"
#include "fuzz.hpp"

using namespace zl;
using fuzz::require;

namespace {

void document_survives(const std::string& text) {
  for (const bool pretty : {false, true}) {
    const auto once = formats::print_json(formats::parse_json(text, "in"), pretty);
    const auto again = fuzz::without_error(
        [&] { return formats::print_json(formats::parse_json(once, "again"), pretty); });
    require(again == once, "a document prints as it was printed");
  }
}

void rows_survive(const std::string& text) {
  std::istringstream in(text);
  formats::RowReader reader(in, "in");
  formats::Row row;
  while (reader.next(row)) {
    require(row.fields.size() == reader.columns().size(), "a row has a field a column");
    // Bytes that are no UTF-8 come from TSV only, and cannot stand in JSON.
    if (!reader.is_json()) continue;
    std::vector<formats::Column> columns;
    for (const auto& name : reader.columns()) columns.push_back({name, formats::ColumnType::text});
    std::istringstream line(formats::json_line(columns, row.fields));
    fuzz::without_error([&] {
      formats::RowReader second(line, "again");
      formats::Row copy;
      require(second.next(copy) && copy.fields == row.fields, "a row reads as it was written");
      require(second.columns() == reader.columns(), "columns keep their names and their order");
    });
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(fuzz::text_of(data, size));
  fuzz::input_errors_only([&] { document_survives(text); });
  fuzz::input_errors_only([&] { rows_survive(text); });
  return 0;
}
