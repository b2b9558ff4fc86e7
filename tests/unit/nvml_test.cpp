// The NVML sampler against a stub library, which LD_LIBRARY_PATH puts in the driver's place.
#include <stdlib.h>

#include <boost/test/unit_test.hpp>
#include <chrono>
#include <thread>

#include "backends/cuda_nvml.hpp"
#include "backends/registry.hpp"
#include "base/error.hpp"
#include "base/text.hpp"

using namespace zl;
using namespace zl::backends;

namespace {

/// Settings of the stub, gone with the test.
struct Stub {
  explicit Stub(std::initializer_list<std::pair<const char*, const char*>> settings) {
    for (const auto& [name, value] : settings) set(name, value);
  }
  ~Stub() {
    for (const char* name : names) ::unsetenv(name);
  }
  void set(const char* name, const char* value) {
    ::setenv(name, value, 1);
    names.push_back(name);
  }
  std::vector<const char*> names;
};

boost::test_tools::assertion_result stub_is_there(boost::unit_test::test_unit_id) {
  return ::getenv("ZL_TEST_NVML_STUB") != nullptr;
}

Surroundings by_nvml() {
  Surroundings surroundings;
  surroundings.sampler = "nvml";
  return surroundings;
}

const Backend& cuda() {
  return find_backend("cuda", {});
}

std::string why_not(const Surroundings& surroundings) {
  try {
    cuda().list(surroundings);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

std::string throttle_of(Sampler& sampler) {
  return join(sampler.read().samples.at(0).throttle.value(), ",");
}

}  // namespace

BOOST_AUTO_TEST_SUITE(nvml, *boost::unit_test::precondition(stub_is_there))

BOOST_AUTO_TEST_CASE(lists_cards) {
  const Stub stub({});
  const auto listing = cuda().list(by_nvml());
  BOOST_REQUIRE(listing.devices.size() == 2);
  BOOST_TEST(listing.devices[1].index == "1");
  BOOST_TEST(listing.devices[1].uuid == "GPU-00000001");
  BOOST_TEST(listing.devices[1].pci_bus_id == "0000:1b:00.0");
  BOOST_TEST(listing.devices[1].memory_mib.value() == 81920);
  BOOST_TEST(cuda().driver_version(by_nvml()) == "580.00");
}

BOOST_AUTO_TEST_CASE(reads_every_card) {
  const Stub stub({{"STUB_MASK", "4"}});
  const auto set = cuda().open_sampler(by_nvml(), {})->read();
  BOOST_REQUIRE(set.samples.size() == 2);
  BOOST_TEST(set.samples[0].sm_clock_mhz.value() == 1980);
  BOOST_TEST(set.samples[0].mem_clock_mhz.value() == 3201);
  BOOST_TEST(set.samples[0].temp_c.value() == 52);
  BOOST_TEST(set.samples[0].power_w.value() == 627.4, boost::test_tools::tolerance(1e-9));
  BOOST_TEST(set.samples[0].util_pct.value() == 100);
  BOOST_TEST(join(set.samples[1].throttle.value(), ",") == "sw_power_cap");
  BOOST_TEST(set.warnings.empty());
}

BOOST_AUTO_TEST_CASE(failures_are_told_apart) {
  Stub stub({{"STUB_INIT", "9"}});
  BOOST_TEST(why_not(by_nvml()).find("not loaded") != std::string::npos);
  stub.set("STUB_INIT", "18");
  BOOST_TEST(why_not(by_nvml()).find("different versions") != std::string::npos);
  stub.set("STUB_INIT", "4");
  BOOST_TEST(why_not(by_nvml()).find("permission") != std::string::npos);
  stub.set("STUB_INIT", "999");
  BOOST_TEST(why_not(by_nvml()).find("Unknown Error (NVML status 999)") != std::string::npos);
  stub.set("STUB_INIT", "0");
  stub.set("STUB_CARDS", "0");
  BOOST_TEST(why_not(by_nvml()).find("no devices were found") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_sensor_that_fails_is_absent) {
  const Stub stub({{"STUB_STATUS", "3"}});
  const auto set = cuda().open_sampler(by_nvml(), {})->read();
  BOOST_TEST(!set.samples.at(0).power_w.has_value());
  BOOST_TEST(!set.samples.at(0).throttle.has_value());
  BOOST_TEST(set.warnings.empty());
}

BOOST_AUTO_TEST_CASE(a_lost_card_keeps_its_number) {
  Stub stub({});
  const auto sampler = cuda().open_sampler(by_nvml(), {});
  BOOST_TEST(sampler->read().warnings.empty());
  stub.set("STUB_LOST", "0");
  const auto set = sampler->read();
  BOOST_TEST(set.samples.at(0).index == "0");
  BOOST_TEST(!set.samples.at(0).sm_clock_mhz.has_value());
  BOOST_TEST(set.samples.at(1).index == "1");
  BOOST_TEST(set.samples.at(1).sm_clock_mhz.has_value());
  BOOST_TEST(set.warnings.at(0).find("lost") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_card_lost_from_the_start_hides_no_other) {
  const Stub stub({{"STUB_LOST_AT_START", "0"}});
  const auto set = cuda().open_sampler(by_nvml(), {})->read();
  BOOST_TEST(set.samples.size() == 2);
  BOOST_TEST(set.samples.at(1).sm_clock_mhz.has_value());
  const auto listing = cuda().list(by_nvml());
  BOOST_TEST(listing.devices.at(0).index == "1");
  BOOST_TEST(listing.warnings.size() == 1);
}

BOOST_AUTO_TEST_CASE(an_unknown_index) {
  const Stub stub({});
  Device device;
  device.index = "7";
  BOOST_CHECK_THROW(cuda().open_sampler(by_nvml(), {{device}}), Error);
}

BOOST_AUTO_TEST_CASE(throttling_between_the_ticks_is_seen,
                     *boost::unit_test::precondition([](boost::unit_test::test_unit_id) {
                       return ::getenv("ZL_TEST_NVML_OLD") == nullptr;
                     })) {
  // The counters cost more than all the rest of a reading, and are read twice a second at most.
  const auto later = [](Sampler& sampler) {
    std::this_thread::sleep_for(std::chrono::milliseconds(460));
    return throttle_of(sampler);
  };
  Stub stub({{"STUB_CAPPED_NS", "1000"}});
  const auto sampler = cuda().open_sampler(by_nvml(), {});
  BOOST_TEST(throttle_of(*sampler) == "");  // what was before the first reading is not ours
  BOOST_TEST(later(*sampler) == "");
  stub.set("STUB_CAPPED_NS", "2000");
  BOOST_TEST(later(*sampler) == "sw_power_cap");
  BOOST_TEST(later(*sampler) == "");
  stub.set("STUB_MASK", "513");
  stub.set("STUB_CAPPED_NS", "3000");
  BOOST_TEST(later(*sampler) == "gpu_idle,bit_9,sw_power_cap");
}

BOOST_AUTO_TEST_CASE(parts_of_a_card,
                     *boost::unit_test::precondition([](boost::unit_test::test_unit_id) {
                       return ::getenv("ZL_TEST_NVML_OLD") == nullptr;
                     })) {
  const Stub stub({{"STUB_MIG", "2"}});
  const auto listing = cuda().list(by_nvml());
  BOOST_REQUIRE(listing.devices.size() == 4);
  BOOST_TEST(listing.devices[1].index == "0:0");
  BOOST_TEST(listing.devices[1].uuid.starts_with("MIG-"));
  BOOST_TEST(listing.devices[2].index == "0:1");
  BOOST_TEST(listing.devices[3].index == "1");
  const auto set = cuda().open_sampler(by_nvml(), {{listing.devices[1]}})->read();
  BOOST_TEST(set.samples.at(0).index == "0:0");
  BOOST_TEST(!set.samples.at(0).power_w.has_value());
}

BOOST_AUTO_TEST_SUITE_END()
