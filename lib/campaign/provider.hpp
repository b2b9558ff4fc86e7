#pragma once
// How a cell is measured: a provider turns a cell into a program to run and the program's traces
// into measured rows. The campaign knows providers only through this.

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "backends/backend.hpp"
#include "campaign/run_folder.hpp"
#include "formats/measured_rows.hpp"
#include "formats/run_identity.hpp"
#include "process/process.hpp"

namespace zl::campaign {

/// One cell to be measured, with everything a provider may ask.
struct CellRequest {
  Cell cell;
  std::filesystem::path root;    ///< the campaign's
  std::filesystem::path folder;  ///< this cell's, absolute
  const backends::Backend* backend = nullptr;
  backends::Device device;
  std::string switch_name;                         ///< "" for none
  std::optional<std::string> value;                ///< nothing: the switch is unset for this side
  std::map<std::string, std::string> plan_fields;  ///< columns of the operator's plan row
  std::optional<double> timeout_s;                 ///< for the whole cell
  Cell first_cell;              ///< the operator's first measured cell: it may record a
                                ///< tuner's choices for the others to replay
  process::Environment pinned;  ///< visibility variables that show this device alone
};

/// What would be run: shown by --dry-run, and recorded in the identity.
struct Prepared {
  process::Command command;       ///< environment includes switch and pinning
  formats::RunIdentity identity;  ///< the provider's part: timer, node, libraries, …
};

struct CellResult {
  std::string status;  ///< of campaign::status
  std::optional<int> exit_code;
  std::vector<formats::MeasuredRow> rows;
  std::string timer;                             ///< as the rows were really timed
  std::string note;                              ///< comma list
  std::map<std::string, std::string> libraries;  ///< learned while running, for the identity
  std::optional<std::string> autotune_mode;      ///< where it went otherwise than prepared
};

class Provider {
 public:
  virtual ~Provider() = default;
  virtual std::string name() const = 0;
  /// Pure: touches no file and starts nothing. Throws Error(usage) when the operator cannot be
  /// turned into a command.
  virtual Prepared prepare(const CellRequest& request) const = 0;
  /// Measures the cell: writes run.log (and ir/) below request.folder, which exists, and returns
  /// the rows. An operator's failure is a status, not an exception. Called from several threads.
  virtual CellResult run(const CellRequest& request, const Prepared& prepared,
                         const process::StopToken& stop) const = 0;
};

}  // namespace zl::campaign
