// zl-telemetry: clocks, heat and power of devices, beside any job.

#include "cli/exit_status.hpp"
#include "cli/machine.hpp"
#include "sampling.hpp"
#include "telemetry/summary.hpp"

namespace {

using namespace zl;

constexpr const char* details =
    R"(Rows: time index sm_clock_mhz mem_clock_mhz temp_c power_w util_pct throttle.
What a device does not tell is empty, never 0. `throttle` is `none` where it is
known that nothing held the clocks back. The host's power and utilisation are
means since the reading before, its clock is weighed by how busy each CPU was.

Devices: those of --device, else those that the backend's visibility variable
leaves visible, else all. Ticks stand on the wall clock's multiples of the
interval; one that passes while a reading still runs is skipped and counted.

--summary: `clocks` is `throttled` when at least 5 % of the readings name a
reason that holds the clocks back (idleness and set clocks are none), else
`drifting` when the middle 90 % of the clock's readings under load span more
than --drift percent of their median, else `stable`; empty below 3 readings
under load (from 50 % utilisation). tick_ms and core_pct are what sampling cost,
as noted in FILE.cost by the runs that appended to FILE.

Exit status: the command's, where one is given; 0 sampled; 2 bad usage or bad
FILE; 3 nothing could be sampled (with --evidence: 0, the reason on stderr).

Examples:
  zl-telemetry --once
  zl-telemetry --interval 0.5 --append t.tsv -- ./bench\n"
      "  zl-telemetry --summary t.tsv
  zl-telemetry --once --format prometheus -o /var/lib/node_exporter/zl.prom
)";

cli::Spec spec() {
  cli::Spec spec;
  spec.name = "zl-telemetry";
  spec.summary = "Sample clocks, temperature, power, utilisation and throttling of devices.";
  spec.synopsis = {"[--once] [OPTIONS]", "--interval S [--count N] [OPTIONS]",
                   "[OPTIONS] -- COMMAND [ARGUMENT...]", "--summary FILE [--drift PCT] [--json]"};
  cli::OptionGroup when{"Sampling",
                        {{"once", "", "take one reading (the default)"},
                         {"interval", "S", "take one every S seconds (default with a command: 1)"},
                         {"count", "N", "end after N readings (default: until stopped)"},
                         {"device", "LIST", "indices, UUIDs or PCI bus ids, by commas", true},
                         {"evidence", "", "beside a campaign: a missing sampler is no failure"}}};
  cli::OptionGroup output{
      "Output",
      {{"append", "FILE", "append rows; a header only into an empty file; several may append"},
       {"output,o", "FILE", "FILE holds the newest reading, replaced atomically"},
       {"format", "FORM", "tsv (default), json (JSON Lines) or prometheus (textfile collector)"},
       {"json", "", "as --format json"},
       {"summary", "FILE", "sum up a file of rows per device; - for standard input"},
       {"drift", "PCT", "limit for `stable` in the summary (default 3)"}}};
  spec.groups = {cli::machine_options(), std::move(when), std::move(output)};
  spec.operands = "COMMAND";
  spec.most_operands = -1;
  spec.details = details;
  return spec;
}

int summary(cli::Context& context, const std::string& path) {
  telemetry::SummaryLimits limits;
  limits.drift_pct = context.number("drift", 0, 100).value_or(limits.drift_pct);
  cli::Input input(path, context);
  formats::RowReader reader(input.stream(), input.name());
  const auto devices = telemetry::summarise(reader, limits);
  const auto cost = path == "-" ? std::nullopt : telemetry::read_cost(path);
  const auto json = context.value("format").value_or("") == "json";
  formats::RowWriter writer(context.out, telemetry::summary_columns(),
                            json ? formats::RowFormat::json_lines : context.row_format());
  for (const auto& device : devices) writer.write(telemetry::summary_fields(device, limits, cost));
  return cli::exit_done;
}

int body(cli::Context& context) {
  if (const auto path = context.value("summary")) return summary(context, *path);
  return telemetry_tool::sample(context);
}

}  // namespace

int main(int argc, char** argv) {
  return zl::cli::run_tool(spec(), argc, argv, body);
}
