// Every captured output, cut at every byte: samples or an Error(environment), never anything else.
#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <filesystem>

#include "backends/registry.hpp"
#include "base/error.hpp"
#include "base/files.hpp"

using namespace zl;
using namespace zl::backends;

namespace {

struct Source {
  const char* folder;
  const char* backend;
  const char* sampler;
};
constexpr Source sources[] = {
    {"cuda", "cuda", "smi"},       {"nvidia-smi-h200", "cuda", "smi"},
    {"made", "cuda", "smi"},       {"musa", "musa", ""},
    {"made", "musa", ""},          {"rocm", "rocm", "amd-smi"},
    {"rocm", "rocm", "rocm-smi"},  {"ascend", "ascend", ""},
    {"hygon", "rocm", "rocm-smi"}, {"cambricon", "ascend", ""},
    {"iluvatar", "cuda", "smi"},   {"metax", "musa", ""},
};

/// Surroundings in which every tool answers `text`.
Surroundings answering(const std::string& text, const char* sampler) {
  Surroundings surroundings;
  surroundings.sampler = sampler;
  surroundings.run_tool = [&text](const std::vector<std::string>&) {
    process::Outcome outcome;
    outcome.out = text;
    return outcome;
  };
  return surroundings;
}

bool sound(const Sample& sample) {
  const auto plausible = [](const std::optional<double>& value) {
    return !value || (*value > -300 && *value < 1e6);
  };
  return !sample.index.empty() && plausible(sample.sm_clock_mhz) &&
         plausible(sample.mem_clock_mhz) && plausible(sample.temp_c) && plausible(sample.power_w) &&
         plausible(sample.util_pct);
}

/// Lists and samples; false when something comes out that must not.
bool survives(const Backend& backend, const Surroundings& surroundings) {
  bool good = true;
  try {
    for (const auto& sample : backend.open_sampler(surroundings, {})->read().samples)
      good = good && sound(sample);
  } catch (const Error& error) {
    good = good && error.kind() == ErrorKind::environment;
  }
  try {
    for (const auto& device : backend.list(surroundings).devices)
      good = good && !device.index.empty();
  } catch (const Error& error) {
    good = good && error.kind() == ErrorKind::environment;
  }
  return good;
}

std::vector<std::filesystem::path> files_of(const char* folder) {
  std::vector<std::filesystem::path> files;
  for (const auto& entry :
       std::filesystem::directory_iterator(std::string(ZL_TEST_DATA) + "/smi/" + folder))
    files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(vendor_samples)

BOOST_AUTO_TEST_CASE(cut_anywhere) {
  // Beyond the first 3000 bytes every 199th cut: the two long files hold the same over and over.
  constexpr std::size_t every_byte = 3000, stride = 199;
  for (const auto& source : sources) {
    const auto& backend = find_backend(source.backend, {});
    for (const auto& file : files_of(source.folder)) {
      const auto whole = read_file(file);
      std::string text;
      const auto surroundings = answering(text, source.sampler);
      for (std::size_t size = 0; size <= whole.size(); size += size < every_byte ? 1 : stride) {
        text = whole.substr(0, size);
        if (!survives(backend, surroundings))
          BOOST_ERROR(source.backend << ": " << file << " cut at " << size);
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(with_bytes_exchanged) {
  constexpr std::size_t most = 1500;
  for (const auto& source : sources) {
    const auto& backend = find_backend(source.backend, {});
    for (const auto& file : files_of(source.folder)) {
      const auto whole = read_file(file);
      std::string text;
      const auto surroundings = answering(text, source.sampler);
      for (const char other : {'\0', '\xff', '"', '\n', '-', ','})
        for (std::size_t at = 0; at < std::min(most, whole.size()); at += 7) {
          text = whole;
          text[at] = other;
          if (!survives(backend, surroundings))
            BOOST_ERROR(source.backend << ": " << file << " changed at " << at);
        }
    }
  }
}

BOOST_AUTO_TEST_CASE(hostile_documents) {
  const std::string texts[] = {std::string(100000, '['),
                               std::string(100000, '{'),
                               "{\"GPU\": 5}",
                               "[]",
                               "{}",
                               "null",
                               "{\"GPU\": [1]}",
                               "{\"GPU\": [{\"Index\": -1}]}",
                               "{\"GPU\": [{\"Index\": \"x\"}]}",
                               "{\"gpu_data\": {}}",
                               "[{\"gpu\": {}}]",
                               "[{\"gpu\": 0}, {\"gpu\": 0}]",
                               "{\"card0\": []}",
                               "{\"card\": {}}",
                               "{\"card0\": {\"GPU use (%)\": {\"value\": {\"value\": 1}}}}",
                               "index\n0\n0\n",
                               "index,index\n0,0\n",
                               ",,,,,\n",
                               std::string(1 << 20, ',')};
  for (const auto& text : texts)
    for (const auto& source : sources)
      BOOST_TEST(survives(find_backend(source.backend, {}), answering(text, source.sampler)),
                 text.substr(0, 60));
}

BOOST_AUTO_TEST_SUITE_END()
