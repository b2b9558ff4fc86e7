#pragma once
// A folder of a test's own, gone with it.

#include <stdlib.h>

#include <boost/test/unit_test.hpp>
#include <filesystem>
#include <string>
#include <string_view>

#include "base/files.hpp"

namespace zl::test {

struct Scratch {
  std::filesystem::path path;
  Scratch() {
    auto name = (std::filesystem::temp_directory_path() / "zl-test-XXXXXX").native();
    BOOST_REQUIRE(::mkdtemp(name.data()) != nullptr);
    path = name;
  }
  ~Scratch() { std::filesystem::remove_all(path); }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;

  /// Writes a file below it, its folders too; the file's path.
  std::filesystem::path write(const std::string& name, std::string_view text) const {
    std::filesystem::create_directories((path / name).parent_path());
    replace_file(path / name, text);
    return path / name;
  }
};

}  // namespace zl::test
