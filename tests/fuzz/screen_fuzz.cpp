// screen.tsv: the table reads as it was written, and what it asks for can be partitioned.

#include <sstream>

#include "campaign/partition.hpp"
#include "campaign/screen_table.hpp"
#include "campaign/work_list.hpp"
#include "fuzz.hpp"

using namespace zl;
using fuzz::require;

namespace {

std::string read(std::string_view text) {
  const fuzz::File file(text);
  return campaign::ScreenTable::read(file.path()).text();
}

void check_shares(const campaign::WorkList& work, const campaign::PartitionOptions& options) {
  const std::vector<campaign::Card> cards(3);
  const auto result = campaign::partition(work.jobs, cards, options);
  std::vector<unsigned> rounds(work.jobs.size());
  for (const auto& share : result.shares) {
    require(share.card < cards.size() && share.start_s >= 0, "a share lies on a card");
    rounds.at(share.job) += share.rounds;
  }
  for (const auto given : rounds) require(given == options.rounds, "every round is given once");
  require(result.lower_bound_s <= result.makespan_s * (1 + 1e-9) + 1e-6,
          "no partition ends before the bound");
}

void work_is_partitioned(const std::string& text) {
  std::istringstream in(text);
  formats::RowReader reader(in, "screen");
  const auto work = campaign::read_work(reader, {"IR_CHANGED", ""});
  for (std::size_t i = 0; i < work.jobs.size(); ++i) {
    std::vector<std::string> fields;
    work.append_fields(i, fields);
    require(fields.size() == work.passthrough.size(), "a job has a field a column");
  }
  for (const auto algorithm :
       {campaign::Algorithm::longest_first, campaign::Algorithm::hash, campaign::Algorithm::best}) {
    int looks = 0;
    campaign::PartitionOptions options;
    options.algorithm = algorithm;
    options.rounds = 3;
    options.expired = [&looks] { return ++looks > 20; };
    check_shares(work, options);
    if (algorithm == campaign::Algorithm::hash) continue;
    options.split_rounds = true;
    check_shares(work, options);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(fuzz::text_of(data, size));
  fuzz::input_errors_only([&] {
    const auto once = read(text);
    require(fuzz::without_error([&] { return read(once); }) == once,
            "a screen prints as it was printed");
  });
  fuzz::input_errors_only([&] { work_is_partitioned(text); });
  return 0;
}
