// A tuner's database: rows, or an error of the surroundings; nothing was tuned between a record and
// itself.

#include "campaign/tuner_record.hpp"
#include "fuzz.hpp"

using namespace zl;
using fuzz::require;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const fuzz::Folder folder;
  std::filesystem::create_directories(folder.path() / campaign::config_cache_folder);
  folder.write("config_cache/tuner.db", fuzz::text_of(data, size));
  folder.write("x.autotune.json", fuzz::text_of(data, size));
  fuzz::errors_only_of(ErrorKind::environment, [&] {
    const auto record = campaign::read_tuner_record(folder.path(), folder.path());
    require(record.autotune_files.size() == 1, "Triton's own file is seen");
    require(!campaign::tuned_anew(record, record).any(), "nothing was tuned in between");
    require(campaign::tuned_anew({}, record).tables == record.tables.size(),
            "against nothing, every table is new");
  });
  return 0;
}
