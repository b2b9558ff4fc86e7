// What the plugins report and what pytest's log says: rows that can be written, words on one line.

#include "campaign/flaggems_report.hpp"
#include "fuzz.hpp"

using namespace zl;
using fuzz::require;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const fuzz::File file(fuzz::text_of(data, size));
  fuzz::input_errors_only([&] {
    const auto report = campaign::read_flaggems_report(file.path());
    require(report.fallbacks <= report.rows.size(), "a fallback is a row's");
    for (const auto& row : report.rows) {
      require(row.min_ms.has_value() == row.max_ms.has_value(), "a range has both ends");
      require(!row.min_ms || *row.min_ms <= *row.max_ms, "a range is ordered");
      require(formats::measured_row_fields(row).size() == formats::measured_row_columns().size(),
              "a row has a field a column");
    }
  });
  fuzz::without_error([&] {
    for (const auto& failure : campaign::read_pytest_log(file.path()).failures)
      require(failure.find('\n') == std::string::npos, "a failure is one line");
  });
  return 0;
}
