#include "asked.hpp"

#include <unistd.h>

#include <random>

#include "backends/registry.hpp"
#include "base/error.hpp"
#include "base/text.hpp"
#include "campaign/command_provider.hpp"
#include "flaggems.hpp"
#include "input.hpp"
#include "placement.hpp"

namespace zl::bench {

namespace {

campaign::Switch axis_of(const cli::Context& context) {
  campaign::Switch axis;
  axis.name = context.value("switch").value_or("");
  if (axis.name.find('=') != std::string::npos)
    throw usage_error("--switch: expected a variable's name, got " + in_quotes(axis.name));
  const auto text = context.value("values").value_or("0,1");
  const auto values = split(text, ',');
  if (values.size() != 2) throw usage_error("--values: expected OFF,ON, got " + in_quotes(text));
  if (!values[0].empty()) axis.before = values[0];
  if (!values[1].empty()) axis.after = values[1];
  if (!axis.name.empty() && axis.before == axis.after)
    throw usage_error("--values: " + (axis.before
                                          ? "both sides have the value " + in_quotes(*axis.before)
                                          : "both sides leave the switch unset"));
  return axis;
}

/// Something must tell the sides apart, or the campaign measures noise and calls it a result.
void require_difference(const cli::Context& context, const campaign::Switch& axis) {
  const auto command = context.value("command").value_or("");
  if (axis.name.empty() && !context.has("aa") && command.find("{side}") == std::string::npos)
    throw usage_error(
        "nothing tells the sides apart: give --switch VAR, use {side} in --command, or --aa");
}

std::string host_name() {
  char name[256] = "";
  return ::gethostname(name, sizeof name - 1) == 0 ? name : "";
}

std::unique_ptr<campaign::Provider> command_provider(const cli::Context& context) {
  campaign::CommandOptions options;
  const auto command = context.value("command");
  if (!command) throw usage_error("--provider command needs --command 'PROG ARG...'");
  options.command = split_words(*command);
  if (options.command.empty()) throw usage_error("--command is empty");
  options.runs = static_cast<unsigned>(context.count("runs", 1, 1'000'000).value_or(10));
  options.warmup = static_cast<unsigned>(context.count("warmup", 0, 1'000'000).value_or(1));
  if (const auto rows = context.value("rows")) {
    if (*rows != "stdout") throw usage_error("--rows: expected stdout, got " + in_quotes(*rows));
    options.rows_from_stdout = true;
  }
  return campaign::make_command_provider(std::move(options));
}

std::unique_ptr<campaign::Provider> provider_of(const cli::Context& context,
                                                const campaign::CampaignOptions& options,
                                                const std::vector<campaign::PlanRow>& rows) {
  return provider_name(context) == "flaggems" ? flaggems_provider(context, *options.backend, rows)
                                              : command_provider(context);
}

}  // namespace

std::string provider_name(const cli::Context& context) {
  auto name = context.value("provider").value_or(context.has("flaggems") ? "flaggems" : "command");
  if (name != "command" && name != "flaggems")
    throw usage_error("--provider: expected command or flaggems, got " + in_quotes(name));
  return name;
}

Asked asked(cli::Context& context, bool resumed) {
  Asked asked;
  auto& options = asked.options;
  options.root = *context.value("output");
  options.axis = axis_of(context);
  options.aa = context.has("aa");
  options.screen = context.has("screen");
  require_difference(context, options.axis);
  options.order = campaign::parse_order(context.value("order").value_or("balanced"),
                                        std::random_device{}() % 1'000'000'000U);
  context.options["order"] = {campaign::print_order(options.order)};
  options.timeout_s = context.number("timeout", 0.001, 1e9);
  options.telemetry_interval_s = context.number("telemetry", 0, 86400).value_or(1.0);
  options.warm_up_round = context.has("warmup-round");
  options.allow_no_ir_diff = context.has("allow-no-ir-diff");
  options.static_plan = context.has("static");
  options.retry_failed = context.has("retry-failed");
  provider_name(context);
  options.surroundings = backends::this_machine();
  options.surroundings.stop = context.stop;
  options.backend =
      &backends::find_backend(context.value("backend").value_or("auto"), options.surroundings);
  context.options["backend"] = {options.backend->traits.name};
  const auto listing = options.backend->list(options.surroundings);
  for (const auto& warning : listing.warnings) context.say(warning);
  options.host = host_name();
  auto rows = read_input(context, resumed);
  asked.provider = provider_of(context, options, rows);
  auto placement = place(context, listing, std::move(rows), options.host, resumed);
  options.plan = std::move(placement.plan);
  options.devices = std::move(placement.queues);
  options.driver = options.backend->driver_version(options.surroundings);
  options.tool_version = ZL_VERSION;
  return asked;
}

}  // namespace zl::bench
