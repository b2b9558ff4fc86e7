#include "measure.hpp"

#include "base/error.hpp"
#include "base/text.hpp"
#include "base/time.hpp"
#include "campaign/campaign_record.hpp"
#include "cli/exit_status.hpp"
#include "progress.hpp"
#include "spec.hpp"

namespace zl::bench {

/// Opens the root for this campaign, or refuses it.
FileLock lock_root(const std::filesystem::path& root) {
  make_folders(root);
  auto lock = FileLock::try_acquire(root / ".lock");
  if (lock) return std::move(*lock);
  const auto holder = try_read_file(root / ".lock").value_or("");
  throw environment_error("another zl-bench (process " + std::string(trim(holder)) + ") works on " +
                          in_quotes(root.native()));
}

void write_record(const Asked& asked, const cli::Context& context) {
  const auto& options = asked.options;
  campaign::CampaignRecord record;
  record.tool_version = options.tool_version;
  record.started_at = format_time(wall_now());
  record.host = options.host;
  record.backend = options.backend->traits.name;
  record.provider = asked.provider->name();
  record.devices = options.devices;
  record.options = recorded_options(context);
  replace_file(options.root / campaign::plan_file, campaign::print_plan(options.plan));
  replace_file(options.root / campaign::campaign_file, print_campaign_record(record));
}

int measure(Asked& asked, cli::Context& context) {
  campaign::Ledger ledger(asked.options.root);
  Progress progress(asked.options, ledger);
  const auto& columns =
      asked.options.screen ? campaign::screen_columns() : campaign::ops_status_columns();
  formats::RowWriter rows(context.out, columns, context.row_format());
  campaign::CampaignEvents events;
  events.cell_started = [&](const campaign::CellRequest& request) { progress.started(request); };
  events.cell_ended = [&](const campaign::OpsStatus& row) {
    progress.clear();
    if (!asked.options.screen) rows.write(ops_status_fields(row));
    context.out.flush();
    progress.ended(row);
  };
  events.screened = [&](const campaign::ScreenRow& row) {
    progress.clear();
    rows.write(screen_fields(row));
    context.out.flush();
  };
  events.warning = [&](const std::string& text) {
    progress.clear();
    context.say(text);
  };
  const auto result =
      campaign::run_campaign(asked.options, *asked.provider, ledger, events, context.stop);
  if (result.failed != 0)
    context.say(counted(result.failed, "cell") + " failed; see " +
                (asked.options.root / campaign::ops_status_file).native());
  return result.stopped       ? cli::exit_done
         : result.failed != 0 ? cli::exit_incomplete
                              : cli::exit_done;
}

}  // namespace zl::bench
