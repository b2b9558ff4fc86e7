// zl-bench: measure operators with a switch off and on, and keep the evidence.

#include "asked.hpp"
#include "base/error.hpp"
#include "base/text.hpp"
#include "campaign/campaign_record.hpp"
#include "cli/exit_status.hpp"
#include "cli/rescore_root.hpp"
#include "dry_run.hpp"
#include "flaggems.hpp"
#include "measure.hpp"
#include "process/guard.hpp"
#include "spec.hpp"

namespace {

using namespace zl;

int body(cli::Context& context) {
  if (const auto rescored = context.value("rescore", "RESCORE"))
    return cli::rescore_root(context, *rescored);
  const auto named = context.operands;
  bench::take_environment(context);
  if (context.has("list")) {
    if (bench::provider_name(context) != "flaggems")
      throw usage_error("--list: only FlagGems has a list of operators; give --flaggems DIR");
    bench::print_flaggems_list(context);
    return cli::exit_done;
  }
  if (!context.has("output"))
    throw usage_error("name the campaign's folder: --output ROOT or ZL_ROOT");
  const std::filesystem::path root = *context.value("output");
  const auto record = campaign::read_campaign_record(root);
  const bool resumed = record && context.has("resume");
  if (context.has("resume") && !record && !context.has("command") && !context.has("flaggems"))
    throw input_error({(root / campaign::campaign_file).native()},
                      "missing: there is no campaign to resume");
  if (resumed && !named.empty())
    throw usage_error("--resume takes its operators from the recorded plan, not from operand " +
                      in_quotes(named.front()));
  if (resumed) bench::take_record(context, record->options);
  auto asked = bench::asked(context, resumed);
  if (context.has("dry-run")) {
    bench::print_dry_run(asked, context);
    return cli::exit_done;
  }
  const auto refuse_second_start = [&] {
    if (!resumed && std::filesystem::exists(root / campaign::campaign_file))
      throw usage_error(in_quotes(root.native()) +
                        " already holds a campaign; --resume continues it");
  };
  refuse_second_start();
  const auto lock = bench::lock_root(root);
  refuse_second_start();  // another call may have begun and ended it in between
  const process::Guard guard;
  if (!resumed) bench::write_record(asked, context);
  return bench::measure(asked, context);
}

}  // namespace

int main(int argc, char** argv) {
  return cli::run_tool(bench::spec(), argc, argv, body);
}
