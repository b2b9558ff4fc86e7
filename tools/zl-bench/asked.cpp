#include "asked.hpp"

#include <unistd.h>

#include <algorithm>
#include <random>
#include <set>

#include "backends/registry.hpp"
#include "base/error.hpp"
#include "base/number.hpp"
#include "base/text.hpp"
#include "campaign/command_provider.hpp"
#include "campaign/partition.hpp"
#include "input.hpp"

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
    throw usage_error("--values: both sides have the value " + in_quotes(text));
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

/// The queues: --device, else the devices that the plan names, else the visible ones.
std::vector<backends::Device> queues_of(const cli::Context& context,
                                        const backends::Listing& listing,
                                        const std::vector<campaign::PlanRow>& plan) {
  std::vector<std::string> wanted;
  if (const auto list = context.value("device")) {
    for (const auto name : split(*list, ',')) wanted.emplace_back(trim(name));
    return backends::pick_devices(listing, wanted);
  }
  std::set<std::string> named;
  for (const auto& row : plan)
    if (!row.device.empty() && named.insert(row.device).second) wanted.push_back(row.device);
  if (!wanted.empty()) return backends::pick_devices(listing, wanted);
  std::vector<backends::Device> visible;
  for (const auto position : listing.selected) visible.push_back(listing.devices.at(position));
  if (visible.empty()) throw environment_error("no visible device");
  return visible;
}

/// The weight of a row that names no device: the screen's seconds, where it has them.
double weight_of(const campaign::PlanRow& row) {
  double weight = 0;
  for (const char* column : {"elapsed_before", "elapsed_after"})
    if (const auto found = row.fields.find(column); found != row.fields.end())
      weight += std::max(0.0, parse_double(found->second).value_or(0));
  return weight;
}

/// Operators that no plan placed: longest first onto the queues, by their names in turn where
/// nothing is known of them.
std::vector<campaign::PlanRow> placed(std::vector<campaign::PlanRow> rows,
                                      const std::vector<backends::Device>& queues) {
  std::vector<campaign::Job> jobs;
  std::vector<campaign::Card> cards;
  for (const auto& row : rows) jobs.push_back({row.op, weight_of(row)});
  for (const auto& device : queues) cards.push_back({device.index, "", device.name});
  const bool weighted =
      std::any_of(jobs.begin(), jobs.end(), [](const auto& job) { return job.weight_s > 0; });
  for (auto& job : jobs)
    if (!weighted) job.weight_s = 1;
  campaign::PartitionOptions options;
  options.rounds = rows.front().rounds;
  std::vector<campaign::PlanRow> plan;
  for (const auto& share : campaign::partition(jobs, cards, options).shares) {
    auto& row = rows[share.job];
    row.device = queues[share.card].index;
    if (weighted) {
      row.weight_s = jobs[share.job].weight_s;
      row.estimate_s = row.weight_s * row.rounds;
      row.start_s = share.start_s;
    }
    plan.push_back(std::move(row));
  }
  return plan;
}

/// Plan rows name their device as its index from here on.
void settle_devices(std::vector<campaign::PlanRow>& plan, const backends::Listing& listing,
                    const std::vector<backends::Device>& queues) {
  if (plan.front().device.empty()) {
    plan = placed(std::move(plan), queues);
    return;
  }
  for (auto& row : plan) {
    row.device = backends::pick_devices(listing, {row.device}).front().index;
    const auto same = [&](const backends::Device& device) { return device.index == row.device; };
    if (std::none_of(queues.begin(), queues.end(), same))
      throw usage_error("the plan uses device " + row.device + ", which --device leaves out");
  }
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

std::unique_ptr<campaign::Provider> provider_of(const cli::Context& context) {
  const auto name =
      context.value("provider").value_or(context.has("flaggems") ? "flaggems" : "command");
  if (name == "command") return command_provider(context);
  throw usage_error("--provider: expected command or flaggems, got " + in_quotes(name));
}

}  // namespace

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
  options.warm_up_cells = static_cast<unsigned>(context.count("warmup-cells", 0, 1000).value_or(0));
  options.allow_no_ir_diff = context.has("allow-no-ir-diff");
  options.static_plan = context.has("static");
  options.retry_failed = context.has("retry-failed");
  asked.provider = provider_of(context);
  options.plan = read_input(context, resumed);

  options.surroundings = backends::this_machine();
  options.surroundings.stop = context.stop;
  options.backend =
      &backends::find_backend(context.value("backend").value_or("auto"), options.surroundings);
  context.options["backend"] = {options.backend->traits.name};
  const auto listing = options.backend->list(options.surroundings);
  for (const auto& warning : listing.warnings) context.say(warning);
  options.devices = queues_of(context, listing, options.plan);
  settle_devices(options.plan, listing, options.devices);
  options.driver = options.backend->driver_version(options.surroundings);
  options.host = host_name();
  options.tool_version = ZL_VERSION;
  return asked;
}

}  // namespace zl::bench
