// zl-devices: which cards are there, and which may be used.

#include "backends/registry.hpp"
#include "base/number.hpp"
#include "cli/exit_status.hpp"
#include "cli/run_tool.hpp"

namespace {

using namespace zl;

cli::Spec spec() {
  cli::Spec spec;
  spec.name = "zl-devices";
  spec.summary = "List the devices of a backend and which of them may be used.";
  spec.synopsis = {"[OPTIONS]", "--registry [--json]"};
  auto selection = cli::backend_options();
  selection.options.push_back(
      {"visible-only", "", "print the visible devices only, in the variable's order"});
  selection.options.push_back({"registry", "", "print the table of backends instead"});
  spec.groups = {std::move(selection), cli::output_options()};
  return spec;
}

int body(cli::Context& context) {
  const auto surroundings = backends::this_machine();
  const auto& backend =
      backends::find_backend(context.value("backend", "ZL_BACKEND").value_or("auto"), surroundings);
  const auto listing = backend.list(surroundings);
  for (const auto& warning : listing.warnings) context.say(warning);
  return cli::exit_done;
}

}  // namespace

int main(int argc, char** argv) { return zl::cli::run_tool(spec(), argc, argv, body); }
