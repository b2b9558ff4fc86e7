#pragma once
// The latencies of all sources, gathered by row: operator, dtype, size detail and occurrence.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "report/evidence.hpp"
#include "report/exclusions.hpp"
#include "report/sources.hpp"

namespace zl::report {

/// One cell as the rows refer to it.
struct MeasuredCell {
  campaign::Cell cell;
  std::string name;    ///< for messages
  std::string device;  ///< UUID, else host:index
  std::string note;    ///< of the ledger
  std::string timer;   ///< of the cell
  std::string value;   ///< the switch's
  std::optional<WallTime> started, finished;
  std::optional<Evidence> evidence;
};

/// One latency; 0 where the row did not count.
struct Latency {
  std::uint32_t cell = 0;
  std::uint32_t note = 0;  ///< index into Measurements::notes
  double ms = 0;
};

struct MeasuredKey {
  std::string op, dtype, size;
  unsigned occurrence = 1;  ///< 2 where a log repeats the row
  std::vector<Latency> latencies;
};

struct Measurements {
  std::vector<MeasuredCell> cells;
  std::vector<MeasuredKey> rows;   ///< in order of first appearance
  std::vector<std::string> notes;  ///< comma lists; the first is ""
  Exclusions excluded;
  std::set<std::string> modes;  ///< that the logs themselves name
};

/// Reads every source on several threads. A file that cannot be read, or that holds no row, is
/// named among what is excluded. Where the run was named by hand, Error is thrown instead.
Measurements read_measurements(const Sources& sources, bool with_traces);

/// Size detail in the one form in which a table and a record agree: `[torch.Size([64, 64]), 1]`
/// and `[[64, 64], 1]` are one size. Only for pairing, never shown.
std::string size_key(std::string_view size);

}  // namespace zl::report
