#pragma once
// nvidia-smi: its query form, its listing, and what its failures mean. Inside the backends room
// only. Facts: the tool's help text and manual, and captures of drivers 442 to 610.

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "backends/backend.hpp"

namespace zl::backends {

/// What one query printed: rows by column, and every line that was none.
struct SmiTable {
  std::vector<std::string> columns;  ///< canonical names, without units
  std::vector<std::vector<std::string>> rows;
  std::vector<std::string> diagnostics;
};

/// Parses `--format=csv` output. With a header line columns go by name, old names and aliases
/// included. Without one (a wrapper, `noheader`) the five measured columns of `q6` in their usual
/// order are taken after the index and whatever identity stands before them; otherwise no row.
/// A row has exactly the header's fields and a number as index; the last column takes commas.
SmiTable parse_smi_csv(std::string_view text);

/// Throttle reasons by name from the mask of clocks_event_reasons.active.
std::vector<std::string> throttle_names(unsigned long long mask);

/// Counters of microseconds or nanoseconds that a reason held the clocks: names those that grew
/// since the call before, beside those that the mask shows now.
class ThrottleCounters {
 public:
  /// `counters`: reason → counter; absent ones are left out.
  void add(const std::map<std::string, double>& counters, std::vector<std::string>& reasons);

 private:
  std::map<std::string, double> before_;
};

/// Why a MIG part's row is empty.
std::string no_sensors(const std::string& index);

/// A card or a part of a card as `nvidia-smi -L` names it; index "0" or "0:1".
std::vector<Device> parse_smi_list(std::string_view text);

/// What a failing nvidia-smi means, in words: no driver, mismatch, no devices, lost card, …
std::string smi_failure(const process::Outcome& outcome);

/// Lists by nvidia-smi. Throws Error(environment).
std::vector<Device> list_by_smi(const Surroundings& surroundings,
                                std::vector<std::string>& warnings);

/// One call a reading, or, for intervals below a second, one long child. Empty `devices`: all.
std::unique_ptr<Sampler> make_smi_sampler(const Surroundings& surroundings,
                                          std::span<const Device> devices);

}  // namespace zl::backends
