// plan.tsv: no row without device, operator and rounds, and a plan reads as it was written.

#include <sstream>

#include "campaign/campaign_record.hpp"
#include "campaign/plan.hpp"
#include "fuzz.hpp"

using namespace zl;
using fuzz::require;

namespace {

std::vector<campaign::PlanRow> read(const std::string& text) {
  std::istringstream in(text);
  formats::RowReader reader(in, "plan");
  return campaign::read_plan(reader);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(fuzz::text_of(data, size));
  fuzz::input_errors_only([&] {
    const auto plan = read(text);
    for (const auto& row : plan)
      require(!row.op.empty() && !row.device.empty() && row.rounds > 0 && row.first_round > 0,
              "a row has operator, device and rounds");
    const auto once = campaign::print_plan(plan);
    require(fuzz::without_error([&] { return campaign::print_plan(read(once)); }) == once,
            "a plan prints as it was printed");
  });
  return 0;
}
