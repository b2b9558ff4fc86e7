#include <boost/test/unit_test.hpp>
#include <fstream>

#include "backends/registry.hpp"
#include "base/error.hpp"
#include "base/text.hpp"

using namespace zl;
using namespace zl::backends;

namespace {

Device card(const std::string& index, const std::string& uuid = "", const std::string& name = "") {
  Device device;
  device.index = index;
  device.uuid = uuid;
  device.name = name;
  return device;
}

std::vector<Device> cards(int count) {
  std::vector<Device> all;
  all.reserve(static_cast<std::size_t>(count));
  for (int i = 0; i < count; ++i) all.push_back(card(std::to_string(i)));
  return all;
}

const Backend& named(const char* name) {
  return find_backend(name, {});
}

/// Indices selected, joined; "?" before them where the rule does not decide.
std::string selected(const char* backend, const process::Environment& environment,
                     const std::vector<Device>& devices) {
  const auto result = named(backend).visibility(environment, devices);
  std::vector<std::string> indices;
  for (const auto position : result.selected) indices.push_back(devices.at(position).index);
  return (result.decided ? "" : "?") + join(indices, ",");
}

std::string cuda(const std::string& value, const std::vector<Device>& devices) {
  return selected("cuda", {{"CUDA_VISIBLE_DEVICES", value}}, devices);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(visibility)

BOOST_AUTO_TEST_CASE(cuda_by_the_table_of_cases) {
  std::ifstream table(std::string(ZL_TEST_DATA) + "/smi/cuda/visible-devices-cases.tsv");
  auto devices = cards(8);
  devices[5].uuid = "GPU-9e8d35e3-aaaa-bbbb-cccc-000000000000";
  devices[6].uuid = "GPU-123";
  std::string line;
  std::getline(table, line);
  int checked = 0;
  while (std::getline(table, line)) {
    const auto fields = split(line, '\t');
    BOOST_REQUIRE(fields.size() == 3);
    auto wanted = std::string(fields[1]);
    if (fields[0] == "GPU-9e8d35e3") wanted = "5";
    if (wanted == "GPU-123") wanted = "6";
    if (fields[0].starts_with("MIG-")) {
      const std::vector<Device> parts = {card("0", "GPU-1"), card("0:0", "MIG-11111111-0"),
                                         card("0:1", "MIG-89c850dc-1")};
      BOOST_TEST(cuda(std::string(fields[0]), parts) == "0:1");
    } else {
      BOOST_TEST(cuda(std::string(fields[0]), devices) == wanted, line);
    }
    ++checked;
  }
  BOOST_TEST(checked == 13);
}

BOOST_AUTO_TEST_CASE(cuda_unset_and_empty_differ) {
  BOOST_TEST(selected("cuda", {}, cards(3)) == "0,1,2");
  BOOST_TEST(cuda("", cards(3)) == "");
  BOOST_TEST(cuda(" ", cards(3)) == "");
  BOOST_TEST(!named("cuda").visibility({}, cards(1)).restricted);
  BOOST_TEST(cuda("2,0", cards(3)) == "2,0");
  BOOST_TEST(cuda("0,7,1", cards(3)) == "0");
  BOOST_TEST(cuda("0,,1", cards(3)) == "0");
}

BOOST_AUTO_TEST_CASE(cuda_by_uuid) {
  const std::vector<Device> devices = {card("0", "GPU-aabb01"), card("1", "GPU-aabb02"),
                                       card("2", "GPU-cc")};
  BOOST_TEST(cuda("GPU-cc,GPU-aabb01", devices) == "2,0");
  BOOST_TEST(cuda("GPU-aabb", devices) == "");  // two cards begin so
  BOOST_TEST(cuda("GPU-cc,GPU-aabb", devices) == "2");
  BOOST_TEST(cuda("GPU-cc,GPU-cc", devices) == "");
  BOOST_TEST(cuda("GPU-dd,GPU-cc", devices) == "");
  BOOST_TEST(cuda("0,GPU-cc", devices) == "0");
}

BOOST_AUTO_TEST_CASE(cuda_takes_one_mig_part) {
  const std::vector<Device> devices = {card("0", "GPU-1"), card("0:0", "MIG-aa"),
                                       card("0:1", "MIG-bb")};
  BOOST_TEST(selected("cuda", {}, devices) == "0:0");
  BOOST_TEST(cuda("0", devices) == "0:0");
  BOOST_TEST(cuda("MIG-bb,MIG-aa", devices) == "0:1");
}

BOOST_AUTO_TEST_CASE(cuda_order_of_unlike_cards_is_not_ours) {
  const std::vector<Device> devices = {card("0", "GPU-1", "T400"), card("1", "GPU-2", "H200")};
  BOOST_TEST(cuda("0", devices) == "?0");
  BOOST_TEST(cuda("GPU-2", devices) == "1");
  BOOST_TEST(selected("cuda", {{"CUDA_VISIBLE_DEVICES", "0"}, {"CUDA_DEVICE_ORDER", "PCI_BUS_ID"}},
                      devices) == "0");
}

BOOST_AUTO_TEST_CASE(hip_counts_what_rocr_leaves) {
  const auto rocm = [](const process::Environment& environment) {
    return selected("rocm", environment, cards(6));
  };
  BOOST_TEST(rocm({}) == "0,1,2,3,4,5");
  BOOST_TEST(rocm({{"ROCR_VISIBLE_DEVICES", "2,3"}, {"HIP_VISIBLE_DEVICES", "1"}}) == "3");
  BOOST_TEST(rocm({{"ROCR_VISIBLE_DEVICES", "4,2"}}) == "4,2");
  BOOST_TEST(rocm({{"ROCR_VISIBLE_DEVICES", "4,2"}, {"HIP_VISIBLE_DEVICES", "1,0"}}) == "2,4");
  BOOST_TEST(rocm({{"ROCR_VISIBLE_DEVICES", "4"}, {"HIP_VISIBLE_DEVICES", "0,1"}}) == "4");
  BOOST_TEST(rocm({{"CUDA_VISIBLE_DEVICES", "5"}}) == "5");
  BOOST_TEST(rocm({{"CUDA_VISIBLE_DEVICES", "5"}, {"HIP_VISIBLE_DEVICES", "1"}}) == "1");
  BOOST_TEST(rocm({{"HIP_VISIBLE_DEVICES", ""}}) == "");
  BOOST_TEST(rocm({{"HIP_VISIBLE_DEVICES", "-1"}}) == "");
  BOOST_TEST(rocm({{"HIP_VISIBLE_DEVICES", "1,1"}}) == "");
}

BOOST_AUTO_TEST_CASE(rocr_takes_uuids) {
  const std::vector<Device> devices = {card("0", "GPU-00aa"), card("1", "GPU-00bb")};
  BOOST_TEST(selected("rocm", {{"ROCR_VISIBLE_DEVICES", "GPU-00bb,0"}}, devices) == "1,0");
  BOOST_TEST(selected("rocm", {{"ROCR_VISIBLE_DEVICES", "GPU-ffff,0"}}, devices) == "");
}

BOOST_AUTO_TEST_CASE(ascend_is_strict) {
  const auto ascend = [](const std::string& value) {
    return selected("ascend", {{"ASCEND_RT_VISIBLE_DEVICES", value}}, cards(8));
  };
  BOOST_TEST(selected("ascend", {}, cards(2)) == "0,1");
  BOOST_TEST(ascend("1,3") == "1,3");
  BOOST_TEST(ascend("1, 2,3") == "1");
  BOOST_TEST(ascend("1 ,2") == "1");
  BOOST_TEST(ascend("1,3,8") == "1,3");
  BOOST_TEST(ascend("0,-1,2") == "0");
  BOOST_TEST(ascend("-1") == "");
  BOOST_TEST(ascend("") == "");
  BOOST_TEST(ascend("0-3") == "0");
  BOOST_TEST(ascend("3,2,1") == "?3,2,1");
}

BOOST_AUTO_TEST_CASE(ascend_goes_by_logical_id) {
  auto devices = cards(2);
  devices[0].index = "4";
  devices[0].ordinal = "0";
  devices[1].index = "15";
  devices[1].ordinal = "1";
  BOOST_TEST(selected("ascend", {{"ASCEND_RT_VISIBLE_DEVICES", "1"}}, devices) == "15");
  BOOST_TEST(named("ascend").pin(devices[1]).at("ASCEND_RT_VISIBLE_DEVICES") == "1");
}

BOOST_AUTO_TEST_CASE(musa_decides_only_what_is_plain) {
  const auto musa = [](const std::string& value) {
    return selected("musa", {{"MUSA_VISIBLE_DEVICES", value}}, cards(4));
  };
  BOOST_TEST(selected("musa", {}, cards(2)) == "0,1");
  BOOST_TEST(musa("2,0") == "2,0");
  for (const char* none : {"", "none", "void", "-1"}) BOOST_TEST(musa(none) == "", none);
  BOOST_TEST(musa("all") == "0,1,2,3");
  BOOST_TEST(musa("1,9") == "?1");
  BOOST_TEST(musa("1,1") == "?");
  BOOST_TEST(musa("GPU-12") == "?");
}

BOOST_AUTO_TEST_CASE(host_by_index) {
  const auto host = [](const std::string& value) {
    return selected("host", {{"ZL_HOST_VISIBLE_DEVICES", value}}, cards(2));
  };
  BOOST_TEST(selected("host", {}, cards(2)) == "0,1");
  BOOST_TEST(host("1") == "1");
  BOOST_TEST(host("1, 0") == "1,0");
  BOOST_TEST(host("") == "");
  BOOST_TEST(host("0,2,1") == "0");
}

BOOST_AUTO_TEST_CASE(what_is_pinned_is_what_is_seen) {
  for (const auto& backend : registry()) {
    const auto devices = cards(4);
    const auto pinned = backend.pin(devices[2]);
    BOOST_TEST(selected(backend.traits.name.c_str(), pinned, devices) == "2", backend.traits.name);
    BOOST_TEST(pinned.count(backend.traits.visibility_variables.front()) == 1);
  }
}

BOOST_AUTO_TEST_CASE(names_and_aliases) {
  BOOST_TEST(named("NVIDIA").traits.name == "cuda");
  BOOST_TEST(named("Moore").traits.name == "musa");
  BOOST_TEST(named("hip").traits.name == "rocm");
  BOOST_TEST(named("CANN").traits.name == "ascend");
  BOOST_TEST(named("cpu").traits.name == "host");
  BOOST_CHECK_THROW(named("tpu"), Error);
}

BOOST_AUTO_TEST_SUITE_END()
