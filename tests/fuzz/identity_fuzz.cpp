// run_identity.json and campaign.json: what was read prints to something that reads to the same
// print; an identity has its own caliber.

#include "caliber/caliber.hpp"
#include "campaign/campaign_record.hpp"
#include "campaign/run_folder.hpp"
#include "formats/run_identity.hpp"
#include "fuzz.hpp"

using namespace zl;
using fuzz::require;

namespace {

void identity_survives(std::string_view text) {
  const auto first = formats::parse_run_identity(text, "id");
  const auto once = formats::print_run_identity(first);
  const auto second = fuzz::without_error([&] { return formats::parse_run_identity(once, "id"); });
  require(formats::print_run_identity(second) == once, "an identity prints as it was printed");
  require(caliber::short_hash(second) == caliber::short_hash(first),
          "printing does not change the caliber");
  if (first.autotune_mode != "record")
    require(caliber::comparable(caliber::compare(first, second, {})),
            "a run is comparable with itself");
}

void record_survives(std::string_view text) {
  static const fuzz::Folder root;
  const auto read = [&](std::string_view content) {
    root.write(campaign::campaign_file, content);
    return campaign::print_campaign_record(*campaign::read_campaign_record(root.path()));
  };
  const auto once = read(text);
  require(fuzz::without_error([&] { return read(once); }) == once,
          "a campaign's record prints as it was printed");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto text = fuzz::text_of(data, size);
  fuzz::input_errors_only([&] { identity_survives(text); });
  fuzz::input_errors_only([&] { record_survives(text); });
  return 0;
}
