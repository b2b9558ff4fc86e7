#include "caliber/axes.hpp"

#include <xxhash.h>

#include <cstdio>
#include <map>

namespace zl::caliber {

namespace {

std::string device_of(const formats::RunIdentity& identity, bool model_only) {
  const auto& device = identity.device;
  if (model_only) return device.name;
  if (!device.uuid.empty()) return device.uuid;
  return device.index.empty() ? "" : identity.host + ":" + device.index;
}

std::string shapes_of(const formats::RunIdentity& identity) {
  return identity.shape_mode == "file" && !identity.shape_file_sha256.empty()
             ? "file:" + identity.shape_file_sha256
             : identity.shape_mode;
}

}  // namespace

std::vector<Fact> axes_of(const formats::RunIdentity& identity, bool model_only) {
  return {{"backend", identity.backend},
          {"device", device_of(identity, model_only)},
          {"timer", identity.timer},
          {"bench_level", identity.bench_level},
          {"shape_mode", shapes_of(identity)},
          {"tuner_cache", identity.tuner_cache},
          {"direct_repeat",
           identity.direct_repeat ? std::to_string(*identity.direct_repeat) : std::string{}}};
}

std::vector<Fact> watched_of(const formats::RunIdentity& identity) {
  std::vector<Fact> facts = {{"op", identity.op},
                             {"test_node", identity.test_node},
                             {"provider", identity.provider},
                             {"driver", identity.driver},
                             {"tool_version", identity.tool_version}};
  for (const auto& [name, value] : identity.libraries) facts.push_back({"library." + name, value});
  for (const auto& [name, value] : identity.parameters)
    facts.push_back({"parameter." + name, value});
  return facts;
}

const std::vector<std::string>& axis_names() {
  static const std::vector<std::string> names = {"backend",       "device",       "timer",
                                                 "bench_level",   "shape_mode",   "tuner_cache",
                                                 "direct_repeat", "autotune_mode"};
  return names;
}

std::string caliber_hash(const formats::RunIdentity& identity) {
  std::string text;
  for (const auto& axis : axes_of(identity)) text += axis.name + "=" + axis.value + "\n";
  char digits[17];
  std::snprintf(digits, sizeof digits, "%016llx",
                static_cast<unsigned long long>(XXH3_64bits(text.data(), text.size())));
  return {digits, 8};
}

std::string explain(const std::string& axis) {
  static const std::map<std::string, std::string> texts = {
      {"backend", "another vendor's kernels and timer; pinned by --backend"},
      {"device",
       "cards of one model differ by their silicon, cooling and power limit; pinned by "
       "--device and by keeping a round's sides on one card"},
      {"timer",
       "the timers differ in launch overhead and in whether the L2 cache is flushed: "
       "batch_norm 16x16x8x48 read 0.0758 ms direct and 0.0089 ms captured on an S5000, "
       "replication_pad3d gained 43 % by one and 124.5 % by the "
       "other; pinned by --timer"},
      {"bench_level", "core and comprehensive measure other shapes; pinned by --level"},
      {"shape_mode", "other shapes are other figures; pinned by --shape-mode and --shape-file"},
      {"tuner_cache",
       "who else writes to the cache decides which configuration runs: mm had 945 "
       "variants with a shared cache and 33 with an inherited one; pinned by "
       "--tuner-cache"},
      {"direct_repeat",
       "the median over N calls of the direct timer is not its single call; "
       "pinned by --direct-repeat"},
      {"autotune_mode",
       "two sides that tune afresh choose apart: router_gemm moved by -8.2 % "
       "record against record, with no change of code; pinned by --autotune"},
  };
  const auto found = texts.find(axis);
  return found == texts.end() ? "" : found->second;
}

}  // namespace zl::caliber
