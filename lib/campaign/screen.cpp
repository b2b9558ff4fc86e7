#include "campaign/screen.hpp"

#include "base/number.hpp"

namespace zl::campaign {

const std::vector<formats::Column>& screen_columns() {
  using enum formats::ColumnType;
  static const std::vector<formats::Column> columns = {{"op", text},
                                                       {"status", text},
                                                       {"kernels_before", number},
                                                       {"kernels_after", number},
                                                       {"cvt_before", number},
                                                       {"cvt_after", number},
                                                       {"elapsed_before", number},
                                                       {"elapsed_after", number},
                                                       {"criterion", text},
                                                       {"reason", text}};
  return columns;
}

std::vector<std::string> screen_fields(const ScreenRow& row) {
  const auto count = [](const std::optional<std::size_t>& value) {
    return value ? std::to_string(*value) : std::string{};
  };
  const auto seconds = [](const std::optional<double>& value) {
    return value ? format_rounded(*value, 3) : std::string{};
  };
  return {row.op,
          row.status,
          count(row.kernels_before),
          count(row.kernels_after),
          count(row.cvt_before),
          count(row.cvt_after),
          seconds(row.elapsed_before_s),
          seconds(row.elapsed_after_s),
          row.criterion,
          row.reason};
}

}  // namespace zl::campaign
