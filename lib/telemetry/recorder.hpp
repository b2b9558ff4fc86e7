#pragma once
// Telemetry beside a campaign: one thread reads all its devices on the grid and appends each
// device's row to the file of the cell that runs there. It never stops a campaign.

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "backends/backend.hpp"

namespace zl::telemetry {

/// Why there are no rows stands in `telemetry.err` beside the cell's file; it is not created
/// where there is nothing to say.
class Recorder {
 public:
  /// Starts the thread, which opens the sampler. Never throws: a sampler that cannot be opened
  /// is a reason, told by `reason` and in every cell's telemetry.err.
  Recorder(const backends::Backend& backend, const backends::Surroundings& surroundings,
           std::vector<backends::Device> devices, double interval_s) noexcept;
  /// Ends the thread; a vendor's tool that is being waited for is ended, a library call that
  /// hangs is left behind.
  ~Recorder();
  Recorder(const Recorder&) = delete;
  Recorder& operator=(const Recorder&) = delete;

  /// From now on rows of the device (by its index) go to `file`; one reading is taken at once.
  /// The folder must exist. Safe in any thread.
  void attach(const std::string& device_index, const std::filesystem::path& file) noexcept;
  /// Takes a last reading, where readings are cheap (below 50 ms), and lets go of the file. Waits
  /// at most half a second.
  void detach(const std::string& device_index) noexcept;

  /// Why nothing is sampled; "" while there is no reason known.
  std::string reason() const;

 private:
  struct State;
  std::shared_ptr<State> state_;
};

}  // namespace zl::telemetry
