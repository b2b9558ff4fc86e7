#include <boost/test/unit_test.hpp>
#include <filesystem>
#include <sstream>

#include "backends/registry.hpp"
#include "base/error.hpp"
#include "base/files.hpp"
#include "base/text.hpp"
#include "scratch.hpp"
#include "telemetry/recorder.hpp"
#include "telemetry/sampling.hpp"
#include "telemetry/summary.hpp"

using namespace zl;
using namespace zl::telemetry;

namespace {

std::vector<std::string> lines_of(const std::filesystem::path& file) {
  std::vector<std::string> lines;
  const auto text = try_read_file(file).value_or("");
  for (const auto line : split(text, '\n'))
    if (!line.empty()) lines.emplace_back(line);
  return lines;
}

/// A sampler whose readings are scripted.
class Scripted : public backends::Sampler {
 public:
  backends::SampleSet read() override {
    ++calls;
    if (calls == 2) throw environment_error("the card fell off");
    backends::SampleSet set;
    set.samples.resize(1);
    set.samples[0].index = "0";
    set.samples[0].power_w = calls;
    return set;
  }
  std::string name() const override { return "scripted"; }
  int calls = 0;
};

backends::Device device(const std::string& index) {
  backends::Device device;
  device.backend = "host";
  device.index = index;
  return device;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(telemetry)

BOOST_AUTO_TEST_CASE(ticks_stand_on_the_grid) {
  const Grid grid(0.25);
  const WallTime zero{};
  using std::chrono::milliseconds;
  BOOST_TEST((grid.after(zero) == zero + milliseconds(250)));
  BOOST_TEST((grid.after(zero + milliseconds(1)) == zero + milliseconds(250)));
  BOOST_TEST((grid.after(zero + milliseconds(250)) == zero + milliseconds(500)));
  BOOST_TEST(grid.between(zero, zero + milliseconds(249)) == 0);
  BOOST_TEST(grid.between(zero + milliseconds(249), zero + milliseconds(750)) == 3);
  BOOST_TEST(grid.between(zero + milliseconds(750), zero) == 0);  // a clock set back
}

BOOST_AUTO_TEST_CASE(what_is_not_known_is_empty) {
  backends::Sample sample;
  sample.index = "3";
  BOOST_TEST(formats::tsv_line(fields(WallTime{}, sample)) ==
             "1970-01-01T00:00:00.000Z\t3\t\t\t\t\t\t\n");
  sample.power_w = 97.456;
  sample.util_pct = 0;
  sample.throttle.emplace();
  BOOST_TEST(formats::tsv_line(fields(WallTime{}, sample)) ==
             "1970-01-01T00:00:00.000Z\t3\t\t\t\t97.46\t0\tnone\n");
  sample.throttle = {{"sw_power_cap", "sync_boost"}};
  BOOST_TEST(fields(WallTime{}, sample).back() == "sw_power_cap,sync_boost");
}

BOOST_AUTO_TEST_CASE(a_failed_reading_is_counted_and_the_next_one_comes) {
  Scripted sampler;
  std::vector<std::string> seen;
  const auto counts = sample_loop(
      sampler, {0.01, 3},
      [&](const Tick& tick) {
        seen.push_back(tick.failure.empty() ? tick.set.samples.at(0).index : tick.failure);
      },
      {});
  BOOST_TEST(counts.ticks == 3);
  BOOST_TEST(counts.failed == 1);
  BOOST_TEST(join(seen, "|") == "0|the card fell off|0");
}

BOOST_AUTO_TEST_CASE(a_stop_ends_the_loop) {
  Scripted sampler;
  process::StopRequest stop;
  const auto counts = sample_loop(
      sampler, {3600, 0}, [&](const Tick&) { stop.request(15); }, stop.token());
  BOOST_TEST(counts.ticks == 1);
}

BOOST_AUTO_TEST_CASE(the_verdict_on_clocks) {
  const auto verdict = [](const std::string& rows) {
    std::istringstream in("index\tsm_clock_mhz\tutil_pct\tthrottle\n" + rows);
    formats::RowReader reader(in, "rows");
    return summarise(reader, {}).at(0).clocks;
  };
  BOOST_TEST(verdict("0\t1000\t90\t\n0\t1010\t90\t\n0\t1000\t90\t\n") == "stable");
  BOOST_TEST(verdict("0\t1000\t90\t\n0\t1010\t90\t\n0\t1100\t90\t\n") == "drifting");
  BOOST_TEST(verdict("0\t1000\t90\t\n0\t1000\t90\tnone\n0\t1000\t90\tsw_power_cap\n") ==
             "throttled");
  BOOST_TEST(verdict("0\t1000\t90\tgpu_idle\n0\t1000\t90\t\n0\t1000\t90\tgpu_idle\n") == "stable");
  // Idle clocks are no drift, and without load there is no verdict.
  BOOST_TEST(verdict("0\t300\t0\t\n0\t1000\t90\t\n0\t1000\t90\t\n0\t1000\t90\t\n") == "stable");
  BOOST_TEST(verdict("0\t300\t0\t\n0\t1000\t0\t\n0\t1000\t9\t\n") == "");
  BOOST_TEST(verdict("0\t1000\t\t\n0\t1000\t\t\n0\t1200\t\t\n") == "drifting");
  BOOST_TEST(verdict("0\t\t\t\n") == "");
}

BOOST_AUTO_TEST_CASE(what_sampling_cost_is_weighed_by_ticks) {
  const test::Scratch folder;
  const auto file = folder.path / "telemetry.tsv";
  BOOST_TEST(!read_cost(file).has_value());
  append_cost(file, {"2026-01-01T00:00:00.000Z", "nvml", 30, 0, 0, 1.0, 0.5});
  append_cost(file, {"2026-01-01T00:00:00.000Z", "nvml", 10, 1, 2, 5.0, std::nullopt});
  const auto cost = read_cost(file);
  BOOST_TEST(cost.value().tick_ms.value() == 2.0);
  BOOST_TEST(cost.value().core_pct.value() == 0.5);
}

BOOST_AUTO_TEST_CASE(a_recorder_fills_the_file_of_the_cell_that_runs) {
  const test::Scratch folder;
  const auto& backend = backends::find_backend("host", backends::this_machine());
  Recorder recorder(backend, backends::this_machine(), {device("0")}, 0.1);
  recorder.attach("0", folder.path / "telemetry.tsv");
  process::StopToken().wait_s(0.35);
  recorder.detach("0");
  const auto lines = lines_of(folder.path / "telemetry.tsv");
  BOOST_REQUIRE(lines.size() >= 3);  // its beginning, at least one tick, its end
  BOOST_TEST(lines[0] + "\n" == formats::tsv_header(columns()));
  BOOST_TEST(!std::filesystem::exists(folder.path / "telemetry.err"));
  BOOST_TEST(recorder.reason() == "");
  process::StopToken().wait_s(0.25);
  BOOST_TEST(lines_of(folder.path / "telemetry.tsv").size() == lines.size());
}

BOOST_AUTO_TEST_CASE(a_recorder_without_sampler_says_why) {
  const test::Scratch folder;
  auto surroundings = backends::this_machine();
  surroundings.root = folder.path;
  const auto& backend = backends::find_backend("host", surroundings);
  Recorder recorder(backend, surroundings, {device("0")}, 0.1);
  recorder.attach("0", folder.path / "telemetry.tsv");
  recorder.detach("0");
  for (int i = 0; i < 100 && recorder.reason().empty(); ++i) process::StopToken().wait_s(0.01);
  BOOST_TEST(!recorder.reason().empty());
  recorder.attach("0", folder.path / "telemetry.tsv");
  BOOST_TEST(!lines_of(folder.path / "telemetry.err").empty());
  BOOST_TEST(!std::filesystem::exists(folder.path / "telemetry.tsv"));
}

BOOST_AUTO_TEST_CASE(a_recorder_survives_a_folder_that_is_not_there) {
  const auto& backend = backends::find_backend("host", backends::this_machine());
  Recorder recorder(backend, backends::this_machine(), {device("0")}, 0.1);
  recorder.attach("0", "/no/such/folder/telemetry.tsv");
  process::StopToken().wait_s(0.15);
  recorder.detach("0");
}

BOOST_AUTO_TEST_SUITE_END()
