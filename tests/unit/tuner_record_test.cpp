// Tuners' choices as files: what was added is what was tuned anew.
#include "campaign/tuner_record.hpp"

#include <sqlite3.h>

#include <boost/test/unit_test.hpp>
#include <fstream>

#include "base/error.hpp"
#include "scratch.hpp"

using namespace zl;
using namespace zl::campaign;

namespace fs = std::filesystem;

namespace {

struct Caches : test::Scratch {
  fs::path flaggems = path / "flaggems", triton = path / "triton";

  void sql(const std::string& text) const {
    fs::create_directories(flaggems / config_cache_folder);
    sqlite3* database = nullptr;
    const auto file = flaggems / config_cache_folder / "TunedConfig_x_triton_3_6.db";
    BOOST_REQUIRE(sqlite3_open(file.c_str(), &database) == SQLITE_OK);
    BOOST_CHECK(sqlite3_exec(database, text.c_str(), nullptr, nullptr, nullptr) == SQLITE_OK);
    sqlite3_close(database);
  }
  void autotune(const std::string& name, const std::string& text) const {
    fs::create_directories((triton / name).parent_path());
    std::ofstream(triton / name) << text;
  }
  TunerRecord read() const { return read_tuner_record(flaggems, triton); }
};

}  // namespace

BOOST_AUTO_TEST_SUITE(tuner_record)

BOOST_AUTO_TEST_CASE(no_tuner_at_all) {
  const Caches caches;
  BOOST_TEST(caches.read().empty());
  BOOST_TEST(!tuned_anew(caches.read(), caches.read()).any());
}

BOOST_AUTO_TEST_CASE(rows_tables_and_files_that_were_added) {
  const Caches caches;
  caches.sql(
      "create table \"mm \"\"q\"\"\" (key_0 text primary key, w int);"
      "insert into \"mm \"\"q\"\"\" values ('64', 4);");
  caches.autotune("KEY/k.autotune.json", "{}");
  const auto before = caches.read();
  BOOST_TEST(!tuned_anew(before, caches.read()).any());
  caches.sql("insert into \"mm \"\"q\"\"\" values ('128', 8); create table bench (k text);");
  caches.autotune("KEY/k.autotune.json", "{\"other\":1}");
  const auto anew = tuned_anew(before, caches.read());
  BOOST_TEST(anew.rows == 1U);
  BOOST_TEST(anew.tables == 1U);
  BOOST_TEST(anew.autotune_files == 1U);
  BOOST_TEST(anew.text() == "1 table and 1 row and 1 autotune file");
}

BOOST_AUTO_TEST_CASE(a_record_is_kept_and_restored_whole) {
  const Caches caches;
  caches.sql("create table t (k text); insert into t values ('a');");
  caches.autotune("KEY/k.autotune.json", "{}");
  const auto before = caches.read();
  const auto kept = caches.path / "cell" / tuner_folder;
  keep_tuner_record(caches.flaggems, caches.triton, kept);
  caches.sql("insert into t values ('b');");
  caches.autotune("KEY2/k.autotune.json", "{}");
  restore_tuner_record(kept, caches.flaggems, caches.triton);
  BOOST_TEST(!tuned_anew(before, caches.read()).any());
  BOOST_TEST(!tuned_anew(caches.read(), before).any());
  BOOST_TEST(tuner_record_of(caches.path / "cell") == kept);
  BOOST_TEST(tuner_record_of(kept) == kept);
  BOOST_TEST(tuner_record_of(caches.path).empty());
  BOOST_CHECK_THROW(restore_tuner_record(caches.path / "none", caches.flaggems, caches.triton),
                    Error);
}

BOOST_AUTO_TEST_CASE(a_file_that_is_no_database) {
  const Caches caches;
  fs::create_directories(caches.flaggems / config_cache_folder);
  std::ofstream(caches.flaggems / config_cache_folder / "x.db") << "this is not a database at all";
  BOOST_CHECK_THROW(caches.read(), Error);
}

BOOST_AUTO_TEST_SUITE_END()
