#pragma once
// npu-smi's tables and key : value lines. It has no machine-readable form. Inside the backends
// room only.

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace zl::backends {

struct NpuChip {
  std::string npu, chip;  ///< as printed: the card's slot (sparse) and the chip on it
  std::string name, bus_id;
  std::optional<double> power_w, temp_c, util_pct, memory_mib;
};

struct NpuTable {
  std::string version;
  std::vector<NpuChip> chips;
  bool several = false;  ///< some card has more than one chip
  bool cut_off = false;  ///< the table ends inside a chip's pair of lines
};

/// `npu-smi info`: two lines a chip; the process table behind it is passed over. No chips where
/// the text is no such table.
NpuTable parse_npu_table(std::string_view text);

/// (NPU ID, Chip ID) → what the runtime calls it, from `npu-smi info -m`; controllers, which have
/// no logic id, are left out.
std::map<std::pair<std::string, std::string>, std::string> parse_npu_mapping(std::string_view text);

/// Chip ID → key → value of `npu-smi info -t common`; blocks of a chip that is a controller
/// (named mcu) are left out. Keys without blanks, lower case: `aicorecurfreq(mhz)`.
std::map<std::string, std::map<std::string, std::string>> parse_npu_common(std::string_view text);

}  // namespace zl::backends
