#include "options.hpp"

#include "base/text.hpp"
#include "base/time.hpp"
#include "campaign/cards.hpp"
#include "campaign/plan.hpp"
#include "campaign/screen.hpp"
#include "cli/machine.hpp"

namespace zl {

namespace {

constexpr unsigned default_rounds = 6;
constexpr double default_time_limit_s = 1;
constexpr std::size_t most_cards = 100'000;

constexpr const char* details =
    R"(Reads a screen (TSV or JSON Lines; FILE or standard input) and writes a plan:
device op rounds weight_s estimate_s start_s, then every column of the screen.
One round of an operator is one pair, before and after, so its weight is
elapsed_before + elapsed_after; a table without these is read for weight_s.

Of a table with a column status only the rows with one of --status are taken;
the report counts the others by status. Devices of different models or hosts
are taken to be equally fast.

  lpt      longest operator first onto the least loaded device: at most a third
           over the best possible, and most often within a few per cent
  optimal  the provably best makespan; where --time-limit does not suffice, the
           best one found, and how far from the best it can be at most
  hash     by FNV-1a of the name, for comparison: balances numbers, not time

The report names the makespan, the ideal share (all time over all devices), the
floor (the heaviest operator: whole, it cannot end earlier) and what a partition
by hash would take. With --split-rounds the floor falls to one round; both sides
of a round stay on one device, and all rounds of an operator on one model.

Exit status: 0 done; 2 bad usage or input; 3 no device found, or a file cannot
be read or written.

Example:
  zl-partition --rounds 6 --devices 0,1,2,3 < screen.tsv > plan.tsv
)";

campaign::Algorithm read_algorithm(const std::string& name) {
  if (name == "lpt") return campaign::Algorithm::longest_first;
  if (name == "optimal") return campaign::Algorithm::best;
  if (name == "hash") return campaign::Algorithm::hash;
  throw usage_error("--algorithm: expected lpt, optimal or hash, got " + in_quotes(name));
}

std::vector<std::string> read_statuses(const std::string& list) {
  std::vector<std::string> statuses;
  for (const auto part : split(list, ',')) {
    if (trim(part).empty()) throw usage_error("--status: an empty name in " + in_quotes(list));
    statuses.emplace_back(trim(part));
  }
  return statuses;
}

void read_devices(PartitionCall& call, const cli::Context& context) {
  const int ways = context.has("devices") + context.has("devices-from") + context.has("cards");
  if (ways > 1) throw usage_error("--devices, --devices-from and --cards exclude each other");
  if (const auto list = context.value("devices")) call.cards = campaign::named_cards(*list);
  if (const auto count = context.count("cards", 1, most_cards))
    call.cards = campaign::numbered_cards(*count);
  call.devices_from = context.value("devices-from").value_or("");
  call.all = context.has("all");
  if (call.all && ways > 0 && call.devices_from.empty())
    throw usage_error("--all goes with --devices-from or the backend's own devices");
}

}  // namespace

cli::Spec partition_spec() {
  cli::Spec spec;
  spec.name = "zl-partition";
  spec.summary = "Plan a campaign: which device measures which operators, longest first.";
  spec.synopsis = {"[OPTIONS] [FILE]"};
  spec.operands = "FILE";
  spec.most_operands = 1;
  auto devices = cli::backend_options();
  devices.title = "Devices (default: the visible ones of the backend)";
  devices.options.insert(
      devices.options.begin(),
      {{"devices", "LIST", "names of devices of one model, as 0,1,2,3", false, "@devices"},
       {"devices-from", "FILE",
        "rows of zl-devices: index, and name (the model), host, visible where there are such "
        "columns"},
       {"cards", "N", "N devices of one model, called 0 to N-1"},
       {"all", "", "also devices that are not visible"}});
  spec.groups = {
      {"Plan",
       {{"rounds,n", "N", "rounds of each operator (default 6)"},
        {"algorithm", "NAME", "lpt (default), optimal or hash", false, "lpt optimal hash"},
        {"time-limit", "S", "for optimal, in seconds (default 1)"},
        {"split-rounds", "", "let rounds of one operator go to several devices of one model"},
        {"status", "LIST", "take rows of these statuses (default IR_CHANGED)", false,
         "IR_CHANGED IR_SAME NO_IR FAILED_BEFORE FAILED_AFTER FAILED_BOTH"}}},
      std::move(devices),
      {"Output",
       {{"json", "", "write JSON Lines instead of TSV"},
        {"report", "FILE", "write the report to FILE as one JSON object"},
        {"quiet,q", "", "no report on standard error"}}}};
  spec.details = details;
  return spec;
}

PartitionCall read_call(const cli::Context& context) {
  PartitionCall call;
  auto& partition = call.partition;
  partition.rounds = static_cast<unsigned>(
      context.count("rounds", 1, campaign::most_rounds).value_or(default_rounds));
  partition.algorithm = read_algorithm(context.value("algorithm").value_or("lpt"));
  partition.split_rounds = context.has("split-rounds");
  if (partition.split_rounds && partition.algorithm == campaign::Algorithm::hash)
    throw usage_error("--split-rounds does not go with --algorithm hash");
  if (context.has("time-limit") && partition.algorithm != campaign::Algorithm::best)
    throw usage_error("--time-limit goes with --algorithm optimal");
  const double limit_s = context.number("time-limit", 0, 86400).value_or(default_time_limit_s);
  partition.expired = [stop = context.stop, limit_s, until_s = -1.0]() mutable {
    if (until_s < 0) until_s = steady_s() + limit_s;
    return stop.requested() || steady_s() >= until_s;
  };
  call.statuses = read_statuses(context.value("status").value_or(campaign::screen_status::changed));
  read_devices(call, context);
  if (!context.operands.empty()) call.input = context.operands.front();
  call.report_file = context.value("report").value_or("");
  call.quiet = context.has("quiet");
  return call;
}

}  // namespace zl
