// zl-devices: which cards are there, and which may be used.

#include "backends/device_rows.hpp"
#include "backends/registry.hpp"
#include "cli/exit_status.hpp"
#include "cli/machine.hpp"
#include "cli/run_tool.hpp"

namespace {

using namespace zl;

constexpr const char* details =
    R"(Rows: backend index uuid name pci_bus_id memory_mib visible. `index` is the
vendor tool's own number, 0:1 a part of card 0; uuid and pci_bus_id are what
joins it with other programs' numbers. `visible` follows the vendor's rules for
its variable: yes, no, or empty where those rules leave it undecided. The host's
devices are its CPU packages and NUMA nodes; their variable,
ZL_HOST_VISIBLE_DEVICES, takes indices and ends at the first unknown one.

Exit status: 0 devices were listed; 1 none is visible (with --visible-only);
2 bad usage; 3 no device, no driver, or no tool to ask: the message says which.

Examples:
  zl-devices                             what this machine has
  zl-devices --backend cuda --visible-only --json
  zl-devices --registry                  what zl knows of each backend
)";

cli::Spec spec() {
  cli::Spec spec;
  spec.name = "zl-devices";
  spec.summary = "List the devices of a backend and which of them may be used.";
  spec.synopsis = {"[OPTIONS]", "--registry [--json]"};
  cli::OptionGroup rows{
      "Rows",
      {{"visible-only", "", "print the visible devices only, in the variable's order"},
       {"registry", "", "print the table of backends instead"}}};
  spec.groups = {cli::machine_options(), std::move(rows), cli::output_options()};
  spec.details = details;
  return spec;
}

int print_registry(cli::Context& context) {
  formats::RowWriter writer(context.out, backends::registry_columns(), context.row_format());
  for (const auto& backend : backends::registry())
    writer.write(backends::registry_fields(backend.traits));
  return cli::exit_done;
}

int body(cli::Context& context) {
  if (context.has("registry")) return print_registry(context);
  const auto surroundings = cli::machine(context);
  const auto& backend = cli::backend(context, surroundings);
  const auto listing = backend.list(surroundings);
  for (const auto& warning : listing.warnings) context.say(warning);
  formats::RowWriter writer(context.out, backends::device_columns(), context.row_format());
  if (!context.has("visible-only")) {
    for (const auto& device : listing.devices) writer.write(backends::device_fields(device));
    return cli::exit_done;
  }
  for (const auto position : listing.selected)
    writer.write(backends::device_fields(listing.devices[position]));
  return listing.selected.empty() ? cli::exit_different : cli::exit_done;
}

}  // namespace

int main(int argc, char** argv) {
  return zl::cli::run_tool(spec(), argc, argv, body);
}
