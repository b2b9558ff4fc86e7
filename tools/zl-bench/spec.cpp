#include "spec.hpp"

#include <set>

#include "base/error.hpp"
#include "base/text.hpp"
#include "cli/machine.hpp"

namespace zl::bench {

namespace {

cli::OptionGroup campaign_options() {
  return {"Campaign",
          {{"output,o", "ROOT", "folder that holds the campaign [ZL_ROOT]"},
           {"ops", "FILE",
            "operators: rows with an op column, or one name a line, where # begins a comment line "
            "[OP_FILE]"},
           {"rounds", "N", "before/after pairs an operator, where no plan says (default 6)"},
           {"switch", "VAR", "environment variable that tells the sides apart [SWITCH]"},
           {"values", "OFF,ON", "its value on either side; an empty one unsets it (default 0,1)"},
           {"order", "ORDER",
            "which side of a round runs first: balanced[:SEED] (default, the seed "
            "is recorded), abba or ab"},
           {"warmup-round", "", "run an uncounted round before the first"},
           {"aa", "", "run the before side against itself: the noise floor"},
           {"screen", "",
            "one round, judge each operator's generated code, print and keep "
            "screen.tsv"},
           {"allow-no-ir-diff", "",
            "run all rounds although the generated code is the same "
            "[SWITCH_ALLOW_NO_IR_DIFF=1]"},
           {"resume", "", "continue the campaign in ROOT: only missing cells run"},
           {"retry-failed", "", "with --resume: cells that failed or timed out run again"},
           {"static", "", "keep to the plan when a device runs dry"},
           {"timeout", "S", "seconds a cell may take (default: none)"},
           {"telemetry", "S", "seconds between telemetry samples; 0 for none (default 1)"},
           {"device", "LIST",
            "devices by index, UUID or PCI id (default: the plan's, else the "
            "visible ones)"},
           {"shard", "I/N", "measure the I-th of N shares of the plan on this machine's devices"},
           {"rescore", "ROOT", "judge a root's kept code again, as zl-rescore does [RESCORE]"},
           {"dry-run", "", "print what would run, an argument a row, and run nothing"},
           {"list", "", "print the provider's operators and nodes, and run nothing"}}};
}

cli::OptionGroup provider_options() {
  return {"Provider",
          {{"provider", "NAME",
            "command or flaggems (default: command when --command is given, "
            "flaggems when --flaggems is) [ZL_PROVIDER]"},
           {"command", "'PROG ARG...'",
            "split into words, no shell; {op} {dtype} {side} {out} are "
            "substituted [ZL_COMMAND]"},
           {"runs", "N", "timed runs of the program a cell (default 10)"},
           {"warmup", "N",
            "command: untimed runs before them (default 1); flaggems: its --warmup, "
            "in milliseconds"},
           {"rows", "stdout",
            "the program times itself and prints latency rows: TSV, JSON Lines "
            "or FlagGems tables; it runs once a cell"}}};
}

cli::OptionGroup flaggems_options() {
  return {"FlagGems",
          {{"flaggems", "DIR", "FlagGems' checkout"},
           {"python", "PROG", "interpreter of the benchmark (default python3)"},
           {"python-path", "DIR", "put before PYTHONPATH", true},
           {"test-node", "NODE",
            "benchmark/test_<file>.py::test_<function>, for all operators "
            "[TEST_NODE]"},
           {"level", "LEVEL", "core (default) or comprehensive [BENCH_LEVEL]"},
           {"mode", "MODE", "kernel (default), operator, wrapper or cudagraph"},
           {"dtypes", "LIST", "float16,float32,... (default: the benchmark's own)"},
           {"iter", "MS", "FlagGems' --iter, in milliseconds"},
           {"shape-mode", "MODE", "upstream (default) or file [SHAPE_MODE]"},
           {"shape-file", "FILE", "shapes to measure, with --shape-mode file"},
           {"timer", "TIMER",
            "graph or direct (default: graph where the backend can capture) "
            "[ZL_ENABLE_CUDAGRAPH=0: direct]"},
           {"direct-repeat", "N",
            "calls a direct row is the median of (default 1) "
            "[ZL_DIRECT_REPEAT]"},
           {"tuner-cache", "MODE",
            "isolated (default), shared or inherited "
            "[ZL_ISOLATE_TUNER_CACHE=1: isolated]"},
           {"autotune", "MODE",
            "auto (default: the first cell records, the others replay), record, "
            "replay or off"},
           {"replay-from", "RUN", "run whose tuned configurations are replayed [REPLAY_FROM]"}}};
}

struct Variable {
  const char* option;
  const char* name;
};

constexpr Variable variables[] = {
    {"output", "ZL_ROOT"},          {"provider", "ZL_PROVIDER"},
    {"command", "ZL_COMMAND"},      {"backend", "ZL_BACKEND"},
    {"switch", "SWITCH"},           {"ops", "OP_FILE"},
    {"test-node", "TEST_NODE"},     {"level", "BENCH_LEVEL"},
    {"shape-mode", "SHAPE_MODE"},   {"direct-repeat", "ZL_DIRECT_REPEAT"},
    {"replay-from", "REPLAY_FROM"},
};

/// A variable that is 0 or 1; nothing where it is unset or empty.
std::optional<bool> flag_variable(const cli::Context& context, const char* name) {
  const auto found = context.environment.find(name);
  if (found == context.environment.end() || found->second.empty()) return std::nullopt;
  if (found->second == "0") return false;
  if (found->second == "1") return true;
  throw usage_error(std::string(name) + ": expected 0 or 1, got " + in_quotes(found->second));
}

/// Options of this call alone: they are neither recorded nor compared.
const std::set<std::string> passing = {"output", "resume", "retry-failed", "dry-run",
                                       "list",   "json",   "operands"};
/// Options that may change between calls on one root, since no figure depends on them.
const std::set<std::string> changeable = {"timeout", "static", "device"};

}  // namespace

cli::Spec spec() {
  cli::Spec spec;
  spec.name = "zl-bench";
  spec.summary =
      "Measure operators with a switch off and on: rounds of before/after pairs, one queue a "
      "device.";
  spec.synopsis = {"[OPTIONS] -o ROOT < plan.tsv", "[OPTIONS] -o ROOT --ops FILE | OP...",
                   "[OPTIONS] --resume -o ROOT"};
  spec.groups = {campaign_options(), provider_options(), flaggems_options(), cli::backend_options(),
                 cli::output_options()};
  spec.operands = "OP";
  spec.most_operands = -1;
  spec.details =
      "Rules:\n"
      "  - One cell at a time runs on a device; a round's sides run on one device.\n"
      "  - After round 1, identical generated code on both sides ends an operator\n"
      "    (SWITCH_NO_IR_DIFF). Two rounds in a row without a pair end it (SKIPPED).\n"
      "  - A device that runs dry takes the longest waiting operator of its model.\n"
      "  - A cell counts once it is complete; --resume runs the missing ones.\n"
      "Rows of ops_status (with --screen: of screen.tsv) go to standard output as\n"
      "cells end.\n"
      "Exit status: 0 done, 2 bad usage or input, 3 surroundings failed, 5 finished\n"
      "but some operators failed, 130 or 143 interrupted.\n";
  return spec;
}

void take_environment(cli::Context& context) {
  for (const auto& variable : variables)
    if (const auto value = context.value(variable.option, variable.name))
      context.options[variable.option] = {*value};
  if (const auto op = context.value("operands", "OP"); context.operands.empty() && op)
    context.operands = {*op};
  if (flag_variable(context, "SWITCH_ALLOW_NO_IR_DIFF").value_or(false))
    context.options["allow-no-ir-diff"] = {};
  if (!context.has("timer"))
    if (const auto graph = flag_variable(context, "ZL_ENABLE_CUDAGRAPH"); graph && !*graph)
      context.options["timer"] = {"direct"};
  if (!context.has("tuner-cache"))
    if (const auto isolate = flag_variable(context, "ZL_ISOLATE_TUNER_CACHE"))
      context.options["tuner-cache"] = {*isolate ? "isolated" : "shared"};
}

void take_record(cli::Context& context,
                 const std::map<std::string, std::vector<std::string>>& recorded) {
  for (const auto& [name, values] : context.options) {
    if (passing.contains(name) || changeable.contains(name)) continue;
    const auto found = recorded.find(name);
    // The recorded order carries the seed that was drawn.
    if (found == recorded.end())
      throw usage_error("--resume: this campaign was asked without --" + name + "; leave it out");
    const bool same_order = name == "order" && !found->second.empty() &&
                            found->second.front().starts_with(values.front());
    if (found->second != values && !same_order)
      throw usage_error("--resume: this campaign was asked with --" + name + " " +
                        in_quotes(join(found->second, " ")) + ", not with --" + name + " " +
                        in_quotes(join(values, " ")));
  }
  for (const auto& [name, values] : recorded)
    if (!context.has(name) || name == "order") context.options[name] = values;
}

std::map<std::string, std::vector<std::string>> recorded_options(const cli::Context& context) {
  auto options = context.options;
  for (const auto& name : passing) options.erase(name);
  return options;
}

}  // namespace zl::bench
