#include "campaign/cell_runner.hpp"

#include <cmath>

#include "base/error.hpp"
#include "base/text.hpp"
#include "base/time.hpp"
#include "process/guard.hpp"
#include "telemetry/recorder.hpp"

namespace zl::campaign {

namespace {

/// Marks a cell's processes, so that those which escape their group can be told from others'.
constexpr const char* cell_variable = "ZL_CELL";

/// Telemetry beside a cell for as long as this lives.
class Recording {
 public:
  Recording(telemetry::Recorder* recorder, const CellRequest& request)
      : recorder_(recorder), device_(request.device.index) {
    if (recorder_ != nullptr) recorder_->attach(device_, request.folder / telemetry_file);
  }
  ~Recording() {
    if (recorder_ != nullptr) recorder_->detach(device_);
  }
  Recording(const Recording&) = delete;
  Recording& operator=(const Recording&) = delete;

 private:
  telemetry::Recorder* recorder_;
  std::string device_;
};

/// What ends all processes at once (a batch system that requeues a job, a terminal that closes)
/// may reach the program before it reaches us: a cell that ended badly just then was interrupted,
/// and is measured again.
bool ended_with_us(const CellResult& result, const process::StopToken& stop) {
  if (result.status != status::failed) return false;
  const bool by_signal = result.exit_code.value_or(0) > 128;
  return stop.wait_s(by_signal ? 0.5 : 0.05);
}

}  // namespace

CellRequest cell_request(const CampaignOptions& options, const PlanRow& row, const Cell& cell,
                         const backends::Device& device, const std::filesystem::path& folder) {
  CellRequest request;
  request.cell = cell;
  request.root = std::filesystem::absolute(options.root);
  request.folder = folder;
  request.backend = options.backend;
  request.device = device;
  request.switch_name = options.axis.name;
  const bool after = cell.side == Side::after && !options.aa;
  request.value = after ? options.axis.after : options.axis.before;
  request.plan_fields = row.fields;
  request.timeout_s = options.timeout_s;
  request.pinned = options.backend->pin(device);
  request.first_cell = {cell.op, 1, Side::before};
  return request;
}

CellRunner::CellRunner(const CampaignOptions& options, const Provider& provider, Ledger& ledger,
                       telemetry::Recorder* recorder)
    : options_(options), provider_(provider), ledger_(ledger), recorder_(recorder) {}

formats::RunIdentity CellRunner::identity(const CellRequest& request,
                                          const Prepared& prepared) const {
  auto identity = prepared.identity;
  identity.tool_version = options_.tool_version;
  identity.op = request.cell.op;
  identity.provider = provider_.name();
  identity.backend = options_.backend->traits.name;
  identity.device = {request.device.index, request.device.uuid, request.device.name};
  identity.driver = options_.driver;
  identity.switch_name = request.switch_name;
  identity.side = side_name(request.cell.side);
  identity.value = request.value;
  identity.round = request.cell.round;
  identity.host = options_.host;
  identity.started_at = format_time(wall_now());
  return identity;
}

OpsStatus CellRunner::run(const PlanRow& row, const Cell& cell, const backends::Device& device,
                          Side first_side, const process::StopToken& stop) const {
  auto wanted = cell_request(options_, row, cell, device, ledger_.open_cell(cell));
  wanted.first_cell = {cell.op, 1, first_side};
  try {
    return measured(wanted, stop);
  } catch (...) {
    ledger_.drop_cell(cell);
    throw;
  }
}

OpsStatus CellRunner::measured(const CellRequest& wanted, const process::StopToken& stop) const {
  const auto& cell = wanted.cell;
  OpsStatus ended;
  ended.cell = cell;
  ended.device = wanted.device.index;
  ended.backend = options_.backend->traits.name;
  ended.run_dir =
      std::filesystem::relative(cell_folder(options_.root, cell), options_.root).native();
  const double start_s = steady_s();
  formats::RunIdentity recorded;
  CellResult result;
  try {
    auto prepared = provider_.prepare(wanted);
    const auto marker = ended.run_dir + "@" + std::to_string(::getpid());
    prepared.command.environment[cell_variable] = marker;
    recorded = identity(wanted, prepared);
    replace_file(wanted.folder / formats::run_identity_file, print_run_identity(recorded));
    {
      const Recording recording(recorder_, wanted);
      result = provider_.run(wanted, prepared, stop);
    }
    if (ended_with_us(result, stop)) result.status = status::interrupted;
    process::end_strays(cell_variable, marker);
  } catch (const Error& error) {
    // A machine that is out of processes, descriptors or disk fails every operator: nothing is
    // held against this one, its cell stays missing and the campaign ends.
    if (is_exhaustion(error)) throw;
    // What the operator asks for cannot be had (a program that is not there): its failure alone.
    result.status = status::failed;
    result.note = error.what();
  }
  ended.elapsed_s = steady_s() - start_s;
  ended.status = result.status;
  ended.exit_code = result.exit_code;
  ended.rows = result.rows.size();
  ended.timer = result.timer;
  ended.note = result.note;
  if (ended.status == status::interrupted) {
    ledger_.drop_cell(cell);
    return ended;
  }
  recorded.finished_at = format_time(wall_now());
  recorded.exit_code = result.exit_code;
  for (const auto& [name, version] : result.libraries) recorded.libraries[name] = version;
  if (result.autotune_mode) recorded.autotune_mode = *result.autotune_mode;
  replace_file(wanted.folder / formats::run_identity_file, print_run_identity(recorded));
  formats::write_measured_rows(wanted.folder / formats::measured_rows_file, result.rows);
  ledger_.close_cell(ended);
  return ended;
}

}  // namespace zl::campaign
