// The host backend over trees of files that change between readings.
#include <boost/test/unit_test.hpp>
#include <filesystem>

#include "backends/host_machine.hpp"
#include "backends/registry.hpp"
#include "base/error.hpp"
#include "base/files.hpp"
#include "base/text.hpp"
#include "scratch.hpp"

using namespace zl;
using namespace zl::backends;
namespace fs = std::filesystem;

namespace {

/// A machine below a temporary root, gone with the test.
struct Machine {
  test::Scratch scratch;
  Surroundings surroundings;
  Machine() { surroundings.root = scratch.path; }
  explicit Machine(const char* captured) : Machine() {
    fs::copy(std::string(ZL_TEST_DATA) + "/machines/" + captured, surroundings.root,
             fs::copy_options::recursive | fs::copy_options::overwrite_existing);
  }
  void put(const std::string& path, const std::string& text) const {
    const auto file = surroundings.root / path;
    fs::create_directories(file.parent_path());
    replace_file(file, text + "\n");
  }
  std::unique_ptr<Sampler> sampler() const {
    return find_backend("host", surroundings).open_sampler(surroundings, {});
  }
};

auto near(double percent) {
  return boost::test_tools::tolerance(percent / 100);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(host)

BOOST_AUTO_TEST_CASE(cpu_lists) {
  const auto text = [](std::string_view list) {
    std::vector<std::string> cpus;
    for (const auto cpu : parse_cpu_list(list)) cpus.push_back(std::to_string(cpu));
    return join(cpus, " ");
  };
  BOOST_TEST(text("0-2,8\n") == "0 1 2 8");
  BOOST_TEST(text("") == "");
  BOOST_TEST(text("3-1") == "");
  BOOST_TEST(text("0,x") == "0");
  BOOST_TEST(text("0-99999999999") == "");
}

BOOST_AUTO_TEST_CASE(means_between_two_readings) {
  const Machine machine("two-packages");
  const auto sampler = machine.sampler();
  // CPU 0 busy for 30 of 40 ticks, CPU 1 for none; package 0 used 12 J, package 1's counter
  // wrapped.
  machine.put("proc/stat",
              "cpu0 120 0 60 858 12 0 0 0 0 0\ncpu1 100 0 50 890 10 0 0 0 0 0\n"
              "cpu2 100 0 50 850 10 0 0 0 0 0\ncpu3 100 0 50 850 10 0 0 0 0 0");
  machine.put("sys/class/powercap/intel-rapl:0/energy_uj", "13000000");
  machine.put("sys/class/powercap/intel-rapl:1/max_energy_range_uj", "2500000");
  machine.put("sys/class/powercap/intel-rapl:1/energy_uj", "1500000");
  machine.put("sys/devices/system/cpu/cpu3/thermal_throttle/core_throttle_count", "1");
  const auto set = sampler->read();
  BOOST_REQUIRE(set.samples.size() == 2);
  const auto& first = set.samples[0];
  BOOST_TEST(first.util_pct.value() == 37.5, near(0.1));
  BOOST_TEST(first.sm_clock_mhz.value() == 2100, near(0.1));  // CPU 1 ran nothing: no weight
  BOOST_TEST(first.temp_c.value() == 61);
  BOOST_TEST(first.power_w.value() > 0);
  BOOST_TEST(first.power_w.value() < 12 / 0.1 * 1.01);
  BOOST_TEST(first.throttle.value().empty());
  const auto& second = set.samples[1];
  BOOST_TEST(!second.util_pct.has_value());  // no tick passed
  BOOST_TEST(second.sm_clock_mhz.value() == 1000, near(0.1));
  BOOST_TEST(join(second.throttle.value(), ",") == "thermal");
  BOOST_TEST(!first.mem_clock_mhz.has_value());
}

BOOST_AUTO_TEST_CASE(a_machine_that_tells_nothing) {
  const Machine machine;
  BOOST_CHECK_THROW(machine.sampler(), Error);
  machine.put("proc/stat", "cpu  1 2 3 4\ncpu0 1 2 3 4");
  const auto set = machine.sampler()->read();
  BOOST_REQUIRE(set.samples.size() == 1);
  BOOST_TEST(!set.samples[0].sm_clock_mhz.has_value());
  BOOST_TEST(!set.samples[0].temp_c.has_value());
  BOOST_TEST(!set.samples[0].power_w.has_value());
  BOOST_TEST(!set.samples[0].throttle.has_value());
}

BOOST_AUTO_TEST_CASE(thermal_zones_and_cpuinfo_in_the_place_of_better_ones) {
  const Machine machine;
  machine.put("proc/stat", "cpu0 1 2 3 4\ncpu1 1 2 3 4");
  machine.put("proc/cpuinfo", "processor : 0\ncpu MHz : 1000.0\n\nprocessor : 1\ncpu MHz : 2000.0");
  machine.put("sys/class/thermal/thermal_zone0/type", "acpitz");
  machine.put("sys/class/thermal/thermal_zone0/temp", "27000");
  machine.put("sys/class/thermal/thermal_zone1/type", "cpu-thermal");
  machine.put("sys/class/thermal/thermal_zone1/temp", "55500");
  const auto sample = machine.sampler()->read().samples.at(0);
  BOOST_TEST(sample.sm_clock_mhz.value() == 1500);
  BOOST_TEST(sample.temp_c.value() == 55.5);
}

BOOST_AUTO_TEST_CASE(a_sensor_that_goes_away) {
  const Machine machine("two-packages");
  const auto sampler = machine.sampler();
  fs::remove_all(machine.surroundings.root / "sys/class");
  fs::remove(machine.surroundings.root / "proc/cpuinfo");
  const auto sample = sampler->read().samples.at(0);
  BOOST_TEST(!sample.temp_c.has_value());
  BOOST_TEST(!sample.power_w.has_value());
}

BOOST_AUTO_TEST_CASE(this_machine_tells_its_load) {
  const auto surroundings = this_machine();
  const auto& backend = find_backend("host", surroundings);
  const auto listing = backend.list(surroundings);
  BOOST_TEST(!listing.devices.empty());
  const auto sampler = backend.open_sampler(surroundings, listing.devices);
  BOOST_TEST(sampler->read().samples.size() == listing.devices.size());
  BOOST_TEST(!backend.driver_version(surroundings).empty());
}

BOOST_AUTO_TEST_SUITE_END()
