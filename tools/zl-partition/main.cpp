// zl-partition: which device measures which operators, longest first.

#include <boost/json.hpp>

#include "base/files.hpp"
#include "base/text.hpp"
#include "campaign/cards.hpp"
#include "campaign/partition_output.hpp"
#include "cli/exit_status.hpp"
#include "cli/machine.hpp"
#include "formats/json.hpp"
#include "options.hpp"

namespace {

using namespace zl;

std::vector<campaign::Card> own_cards(const cli::Context& context, bool all) {
  const auto surroundings = cli::machine(context);
  const auto& backend = cli::backend(context, surroundings);
  const auto listing = backend.list(surroundings);
  for (const auto& warning : listing.warnings) context.say(warning);
  std::vector<campaign::Card> cards;
  const auto add = [&](const auto& device) { cards.push_back({device.index, "", device.name}); };
  if (all)
    for (const auto& device : listing.devices) add(device);
  else
    for (const auto at : listing.selected) add(listing.devices[at]);
  if (cards.empty())
    throw environment_error("no " + backend.traits.name +
                            " device is visible; see zl-devices, or use "
                            "--devices, --devices-from or --cards");
  return cards;
}

std::vector<campaign::Card> cards_of(const PartitionCall& call, cli::Context& context) {
  if (!call.cards.empty()) return call.cards;
  if (call.devices_from.empty()) return own_cards(context, call.all);
  if (call.devices_from == "-" && call.input == "-")
    throw usage_error("the screen and the devices cannot both come from standard input");
  cli::Input input(call.devices_from, context);
  formats::RowReader reader(input.stream(), input.name());
  return campaign::read_cards(reader, input.name(), call.all);
}

int body(cli::Context& context) {
  const auto call = read_call(context);
  const auto cards = cards_of(call, context);
  cli::Input input(call.input, context);
  formats::RowReader reader(input.stream(), input.name());
  const auto work = campaign::read_work(reader, call.statuses);
  const auto partition = campaign::partition(work.jobs, cards, call.partition);
  const campaign::PartitionReport report{work, cards, call.partition, partition};

  if (!call.report_file.empty())
    replace_file(call.report_file, formats::print_json(campaign::report_json(report), true));
  campaign::write_plan(context.out, report, context.row_format());
  if (work.jobs.empty())
    context.say("no operator has status " + join(call.statuses, " or ") + "; the plan is empty");
  if (!call.quiet)
    for (const auto& line : campaign::report_lines(report)) context.say(line);
  return cli::exit_done;
}

}  // namespace

int main(int argc, char** argv) {
  return zl::cli::run_tool(zl::partition_spec(), argc, argv, body);
}
