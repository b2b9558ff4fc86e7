#include "campaign/tuner_record.hpp"

#include <sqlite3.h>

#include <memory>
#include <vector>

#include "base/error.hpp"
#include "base/files.hpp"
#include "base/text.hpp"

namespace zl::campaign {

namespace fs = std::filesystem;

namespace {

constexpr const char* autotune_suffix = ".autotune.json";

struct CloseDatabase {
  void operator()(sqlite3* database) const { sqlite3_close(database); }
};
struct EndStatement {
  void operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }
};

/// Rows of one query, each a list of texts; a column that is NULL is "".
class Database {
 public:
  explicit Database(fs::path file) : file_(std::move(file)) {
    sqlite3* opened = nullptr;
    const auto code = sqlite3_open_v2(file_.c_str(), &opened, SQLITE_OPEN_READONLY, nullptr);
    database_.reset(opened);
    if (code != SQLITE_OK) fail();
    sqlite3_busy_timeout(opened, 2000);
  }

  std::vector<std::string> rows(const std::string& query) const {
    sqlite3_stmt* raw = nullptr;
    if (sqlite3_prepare_v2(database_.get(), query.c_str(), -1, &raw, nullptr) != SQLITE_OK) fail();
    const std::unique_ptr<sqlite3_stmt, EndStatement> statement(raw);
    std::vector<std::string> found;
    int code = sqlite3_step(raw);
    for (; code == SQLITE_ROW; code = sqlite3_step(raw)) {
      std::string row;
      for (int i = 0; i < sqlite3_column_count(raw); ++i) {
        const auto* text = reinterpret_cast<const char*>(sqlite3_column_text(raw, i));
        const auto size = static_cast<std::size_t>(sqlite3_column_bytes(raw, i));
        if (i > 0) row += '\x1f';
        if (text != nullptr) row.append(text, size);
      }
      found.push_back(std::move(row));
    }
    if (code != SQLITE_DONE) fail();
    return found;
  }

 private:
  [[noreturn]] void fail() const {
    throw environment_error("cannot read the tuner's database " + in_quotes(file_.native()) + ": " +
                            (database_ ? sqlite3_errmsg(database_.get()) : "no memory"));
  }

  fs::path file_;
  std::unique_ptr<sqlite3, CloseDatabase> database_;
};

std::string quoted_name(const std::string& name) {
  std::string quoted = "\"";
  for (const char c : name) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + "\"";
}

void copy_below(const fs::path& from, const fs::path& to, const std::string& relative) {
  make_folders((to / relative).parent_path());
  fs::copy_file(from / relative, to / relative, fs::copy_options::overwrite_existing);
}

/// Calls `use` with the path of each file, relative to `folder`, that `wanted` takes.
template <typename Wanted, typename Use>
void each_file(const fs::path& folder, const Wanted& wanted, const Use& use) {
  std::error_code error;
  if (!fs::is_directory(folder, error)) return;
  for (const auto& entry : fs::recursive_directory_iterator(folder))
    if (entry.is_regular_file() && wanted(entry.path().filename().native()))
      use(entry.path().lexically_relative(folder).native());
}

bool is_autotune(const std::string& name) {
  return name.ends_with(autotune_suffix);
}
bool is_any(const std::string&) {
  return true;
}
bool is_database(const std::string& name) {
  return name.ends_with(".db");
}

}  // namespace

std::string TunedAnew::text() const {
  std::vector<std::string> parts;
  if (tables != 0) parts.push_back(counted(tables, "table"));
  if (rows != 0) parts.push_back(counted(rows, "row"));
  if (autotune_files != 0) parts.push_back(counted(autotune_files, "autotune file"));
  return join(parts, " and ");
}

TunerRecord read_tuner_record(const fs::path& flaggems_cache, const fs::path& triton_cache) {
  TunerRecord record;
  const auto databases = flaggems_cache / config_cache_folder;
  each_file(databases, is_database, [&](const std::string& file) {
    const Database database(databases / file);
    for (const auto& table :
         database.rows("select name from sqlite_master where type = 'table' order by name")) {
      auto rows = database.rows("select * from " + quoted_name(table));
      record.tables[file + ": " + table] = {rows.begin(), rows.end()};
    }
  });
  each_file(triton_cache, is_autotune, [&](const std::string& file) {
    record.autotune_files[file] = read_file(triton_cache / file);
  });
  return record;
}

TunedAnew tuned_anew(const TunerRecord& before, const TunerRecord& after) {
  TunedAnew found;
  for (const auto& [table, rows] : after.tables) {
    const auto known = before.tables.find(table);
    if (known == before.tables.end()) ++found.tables;
    for (const auto& row : rows)
      if (known == before.tables.end() || !known->second.contains(row)) ++found.rows;
  }
  for (const auto& [file, content] : after.autotune_files) {
    const auto known = before.autotune_files.find(file);
    if (known == before.autotune_files.end() || known->second != content) ++found.autotune_files;
  }
  return found;
}

void keep_tuner_record(const fs::path& flaggems_cache, const fs::path& triton_cache,
                       const fs::path& to) {
  fs::remove_all(to);
  make_folders(to / config_cache_folder);
  const auto databases = flaggems_cache / config_cache_folder;
  each_file(databases, is_any, [&](const std::string& file) {
    copy_below(databases, to / config_cache_folder, file);
  });
  each_file(triton_cache, is_autotune,
            [&](const std::string& file) { copy_below(triton_cache, to / autotune_folder, file); });
}

void restore_tuner_record(const fs::path& from, const fs::path& flaggems_cache,
                          const fs::path& triton_cache) {
  const auto kept = from / config_cache_folder;
  if (!fs::is_directory(kept))
    throw environment_error("no recorded tuner configurations in " + in_quotes(from.native()));
  const auto databases = flaggems_cache / config_cache_folder;
  fs::remove_all(databases);
  make_folders(databases);
  each_file(kept, is_any, [&](const std::string& file) { copy_below(kept, databases, file); });
  std::vector<fs::path> stale;
  each_file(triton_cache, is_autotune,
            [&](const std::string& file) { stale.push_back(triton_cache / file); });
  for (const auto& file : stale) fs::remove(file);
  each_file(from / autotune_folder, is_autotune, [&](const std::string& file) {
    copy_below(from / autotune_folder, triton_cache, file);
  });
}

fs::path tuner_record_of(const fs::path& run) {
  std::error_code ignored;
  for (const auto& folder : {run, run / tuner_folder})
    if (fs::is_directory(folder / config_cache_folder, ignored)) return folder;
  return {};
}

}  // namespace zl::campaign
