#pragma once
// run_identity.json: under which conditions a cell was measured. What makes two cells comparable
// is judged in the caliber room; here the file is only read and written.

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace zl::formats {

struct IdentityDevice {
  std::string index, uuid, name;
};

/// Every text is "" where not known.
struct RunIdentity {
  int schema = 1;
  std::string tool_version;
  std::string op, test_node, provider, backend;
  IdentityDevice device;
  std::string driver, timer, bench_level, shape_mode, shape_file_sha256;
  std::string tuner_cache;    ///< shared, isolated, inherited, or "" without a tuner
  std::string autotune_mode;  ///< record, replay, off, or "" without a tuner
  std::string replay_from;
  std::optional<unsigned> direct_repeat;
  std::string switch_name;           ///< JSON: switch
  std::string side;                  ///< before or after
  std::optional<std::string> value;  ///< the switch's; null: unset in this cell's environment
  unsigned round = 0;
  std::map<std::string, std::string> libraries;  ///< name → version (torch, triton, flag_gems, …)
  std::map<std::string, std::string> parameters;  ///< further facts: warmup, iter, mode, dtypes, …
  std::string host, started_at, finished_at;
  std::optional<int> exit_code;  ///< nothing while the cell runs
};

/// Parses the file's text. Absent members stay unknown, unknown members are ignored. Throws
/// Error(input) naming file and JSON pointer for malformed text or a member of a wrong type.
RunIdentity parse_run_identity(std::string_view text, const std::string& name);

/// Reads FOLDER/run_identity.json. Throws Error(input) when it is malformed, Error(environment)
/// when it cannot be read.
RunIdentity read_run_identity(const std::filesystem::path& folder);

/// Pretty JSON with keys in the documented order and a last newline.
std::string print_run_identity(const RunIdentity& identity);

constexpr const char* run_identity_file = "run_identity.json";

}  // namespace zl::formats
