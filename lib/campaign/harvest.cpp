#include "campaign/harvest.hpp"

#include "base/files.hpp"

namespace zl::campaign {

namespace fs = std::filesystem;

namespace {

/// `tmp.pid_…` folders are what killed compilations left.
bool is_entry(const fs::directory_entry& entry) {
  return entry.is_directory() && !entry.path().filename().native().starts_with("tmp.pid_");
}

}  // namespace

std::size_t harvest_ir(const fs::path& triton_cache, const fs::path& to) {
  fs::remove_all(to);
  make_folders(to);
  std::size_t kernels = 0;
  std::error_code ignored;
  if (!fs::is_directory(triton_cache, ignored)) return kernels;
  for (const auto& entry : fs::directory_iterator(triton_cache)) {
    if (!is_entry(entry)) continue;
    for (const auto& file : fs::directory_iterator(entry)) {
      if (file.path().extension() != ".ttgir" || !file.is_regular_file()) continue;
      const auto target = to / entry.path().filename();
      make_folders(target);
      fs::copy_file(file, target / file.path().filename());
      ++kernels;
      auto metadata = file.path();
      metadata.replace_extension(".json");
      if (fs::is_regular_file(metadata, ignored))
        fs::copy_file(metadata, target / metadata.filename());
    }
  }
  return kernels;
}

}  // namespace zl::campaign
