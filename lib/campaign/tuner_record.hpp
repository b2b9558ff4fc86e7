#pragma once
// What a tuner chose, as files: FlagGems' SQLite databases (config_cache/*.db) and Triton's own
// *.autotune.json. Recording keeps them, replaying starts from them, and what a replay added is
// what was tuned anew.

#include <filesystem>
#include <map>
#include <set>
#include <string>

namespace zl::campaign {

struct TunerRecord {
  /// "<file>: <table>" → its rows, each as one text.
  std::map<std::string, std::set<std::string>> tables;
  /// Path below the Triton cache → content.
  std::map<std::string, std::string> autotune_files;
  bool empty() const { return tables.empty() && autotune_files.empty(); }
};

struct TunedAnew {
  std::size_t tables = 0, rows = 0, autotune_files = 0;
  bool any() const { return tables + rows + autotune_files != 0; }
  std::string text() const;  ///< "1 table, 2 rows" or ""
};

/// Reads what stands in a FLAGGEMS_CACHE_DIR and in a Triton cache; folders that are not there are
/// empty. Throws Error(environment) for a database that cannot be read.
TunerRecord read_tuner_record(const std::filesystem::path& flaggems_cache,
                              const std::filesystem::path& triton_cache);

/// What `after` has and `before` has not.
TunedAnew tuned_anew(const TunerRecord& before, const TunerRecord& after);

/// Copies the files of a record into `to`: config_cache/ and autotune/. Replaces what is there.
void keep_tuner_record(const std::filesystem::path& flaggems_cache,
                       const std::filesystem::path& triton_cache, const std::filesystem::path& to);

/// The inverse: caches that hold what was kept in `from`, and no other tuned configuration.
/// Throws Error(environment) where `from` holds no record.
void restore_tuner_record(const std::filesystem::path& from,
                          const std::filesystem::path& flaggems_cache,
                          const std::filesystem::path& triton_cache);

/// Folder of a record below `run`: `run` itself (it holds config_cache/) or its tuner/; "" for
/// neither.
std::filesystem::path tuner_record_of(const std::filesystem::path& run);

constexpr const char* tuner_folder = "tuner";
constexpr const char* config_cache_folder = "config_cache";
constexpr const char* autotune_folder = "autotune";

}  // namespace zl::campaign
