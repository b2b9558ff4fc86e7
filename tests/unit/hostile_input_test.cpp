// What the fuzzers of tests/fuzz found in the readers of foreign bytes, one case a kind.
#include <boost/json.hpp>
#include <boost/test/unit_test.hpp>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <sstream>

#include "backends/cuda_smi.hpp"
#include "backends/quantity.hpp"
#include "backends/registry.hpp"
#include "base/error.hpp"
#include "base/files.hpp"
#include "base/time.hpp"
#include "campaign/campaign_record.hpp"
#include "campaign/flaggems_report.hpp"
#include "campaign/ops_status.hpp"
#include "formats/json.hpp"
#include "formats/run_identity.hpp"
#include "formats/run_log.hpp"
#include "ir/kernel_reader.hpp"
#include "ir/renamed_view.hpp"
#include "ir/tree.hpp"
#include "process/process.hpp"
#include "scratch.hpp"
#include "telemetry/summary.hpp"

namespace {

using namespace zl;
using test::Scratch;

bool is_input(const Error& error) {
  return error.kind() == ErrorKind::input;
}
bool is_environment(const Error& error) {
  return error.kind() == ErrorKind::environment;
}

std::vector<formats::MeasuredRow> rows_of(std::string_view log, formats::Diagnostics& seen) {
  return formats::read_run_log(log, "log", seen);
}

/// Surroundings in which every call of a vendor's tool prints `text`.
backends::Surroundings answering(const std::string& text) {
  backends::Surroundings surroundings;
  surroundings.run_tool = [text](const std::vector<std::string>&) {
    process::Outcome outcome;
    outcome.out = text;
    return outcome;
  };
  return surroundings;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(hostile_input)

BOOST_AUTO_TEST_CASE(whole_numbers_are_held_or_refused) {
  BOOST_TEST(as_whole<unsigned>(4294967295.0).value() == 4294967295U);
  BOOST_TEST(as_whole<int>(-2147483648.0).value() == -2147483648LL);
  BOOST_TEST(!as_whole<unsigned>(4294967296.0));
  BOOST_TEST(!as_whole<unsigned>(-1));
  BOOST_TEST(!as_whole<int>(2147483648.0));
  BOOST_TEST(!as_whole<int>(0.5));
  BOOST_TEST(!as_whole<std::size_t>(18446744073709551616.0));
  BOOST_TEST(as_whole<std::size_t>(9007199254740992.0).value() == 9007199254740992U);
  for (const char* member : {"schema", "direct_repeat", "round", "exit_code"})
    for (const char* number : {"1e300", "-1e10", "0.5", "\"1e20\""})
      BOOST_CHECK_EXCEPTION(
          formats::parse_run_identity(std::string("{\"") + member + "\":" + number + "}", "id"),
          Error, is_input);
  const Scratch scratch;
  const std::string header =
      "op\tdevice\tround\tside\tstatus\texit_code\trows\telapsed_s\tbackend\ttimer\tnote\trun_"
      "dir\n";
  for (const char* row :
       {"abs\t0\t1e10\tbefore\tOK\t0\t1\t1\t\t\t\t\n",
        "abs\t0\t1\tbefore\tOK\t5e38\t1\t1\t\t\t\t\n", "abs\t0\t1\tbefore\tOK\t0\t-1\t1\t\t\t\t\n"})
    BOOST_CHECK_EXCEPTION(campaign::read_ops_status(scratch.write("ops", header + row)), Error,
                          is_input);
  scratch.write("t.tsv.cost", "ticks\ttick_ms\tcore_pct\n1e300\t1\t1\n");
  BOOST_CHECK_EXCEPTION(telemetry::read_cost(scratch.path / "t.tsv"), Error, is_input);
}

BOOST_AUTO_TEST_CASE(a_fraction_of_a_second_is_digits) {
  for (const char* text :
       {"2026-08-21T10:04:05.1e300Z", "2026-08-21T10:04:05.1e1Z", "2026-08-21T10:04:05.-5Z"})
    BOOST_TEST(!parse_time(text).has_value(), text);
}

BOOST_AUTO_TEST_CASE(json_numbers_are_the_nearest) {
  // Boost 1.81 by itself reads all but the last one bit beside.
  for (const char* text : {"7.666666666666666e+62", "9.134213014976535", "0.9965033525524135",
                           "1.3277834402762219", "1.7976931348623157e+308"}) {
    const auto value = formats::parse_json(text, "in");
    BOOST_TEST(formats::print_json(value) == text);
  }
  BOOST_TEST(formats::print_json(formats::parse_json("[1e400,-3,18446744073709551615]", "in")) ==
             "[null,-3,18446744073709551615]");
  BOOST_TEST(formats::try_parse_json("{\"a\":[1.5]} ").has_value());
  for (const char* text : {"", "{", "{} {}", "1 x", "[1,]"})
    BOOST_TEST(!formats::try_parse_json(text).has_value(), text);
}

BOOST_AUTO_TEST_CASE(column_names_have_no_blanks_around_them) {
  std::istringstream plan("{\"device\":\"0\",\"op\":\"abs\",\"rounds\":1,\" x\":\"a\"}\n");
  formats::RowReader reader(plan, "plan");
  const auto printed = campaign::print_plan(campaign::read_plan(reader));
  std::istringstream again(printed);
  formats::RowReader second(again, "again");
  BOOST_TEST(campaign::print_plan(campaign::read_plan(second)) == printed);
  BOOST_TEST(second.column("x").has_value());
}

BOOST_AUTO_TEST_CASE(many_columns_are_found) {
  std::string header = "c0", json = "{\"c0\":0";
  for (int i = 1; i < 3000; ++i) {
    header += "\tc" + std::to_string(i);
    json += ",\"c" + std::to_string(i) + "\":" + std::to_string(i);
  }
  for (const auto& text : {header + "\n", json + "}\n"}) {
    std::istringstream in(text);
    formats::RowReader reader(in, "in");
    formats::Row row;
    reader.next(row);
    BOOST_TEST(reader.column("c2999").value() == 2999U);
    BOOST_TEST(!reader.column("c3000"));
  }
  std::istringstream twice(header + "\tc7\n");
  BOOST_CHECK_EXCEPTION(formats::RowReader(twice, "in"), Error, is_input);
}

BOOST_AUTO_TEST_CASE(rows_under_a_bad_header_are_dropped_by_name) {
  for (const char* header : {"op\tlatency_ms\top", "op\tlatency_ms\t\\q"}) {
    formats::Diagnostics seen;
    BOOST_TEST(rows_of("hello\n" + std::string(header) + "\nabs\t1\tx\n", seen).empty());
    BOOST_TEST(seen.dropped.at("rows under a malformed header").first_line == 2U);
  }
}

BOOST_AUTO_TEST_CASE(facts_without_libraries_are_an_input_error) {
  const Scratch scratch;
  for (const char* libraries : {"5", "\"torch\"", "[]"})
    BOOST_CHECK_EXCEPTION(
        campaign::read_flaggems_report(scratch.write(
            "report.jsonl", std::string(R"({"kind":"facts","libraries":)") + libraries + "}\n")),
        Error, is_input);
}

BOOST_AUTO_TEST_CASE(a_second_header_begins_another_table) {
  const auto table = backends::parse_smi_csv(
      "index, name\n0, A\nindex, uuid, clocks.sm, name\n1, GPU-1, 5 MHz, B\n");
  BOOST_REQUIRE(table.rows.size() == 1U);
  BOOST_TEST(table.rows[0].size() == table.columns.size());
  BOOST_TEST(backends::parse_smi_csv("index, name\n0, A\nindex, name\n1, B\n").rows.size() == 2U);
}

BOOST_AUTO_TEST_CASE(a_clone_of_the_tool_names_power_in_its_own_way) {
  const auto table = backends::parse_smi_csv(
      "index, clocks.sm [MHz], temperature.gpu, gpu.power.draw [W]\n0, 1500 MHz, 30, 93 W\n");
  const std::vector<std::string> names = {"index", "clocks.current.sm", "temperature.gpu",
                                          "power.draw"};
  BOOST_TEST(table.columns == names);
}

BOOST_AUTO_TEST_CASE(no_device_is_listed_twice) {
  const auto& cuda = backends::find_backend("cuda", {});
  auto surroundings = answering("GPU 0: A (UUID: GPU-1)\nGPU 0: A (UUID: GPU-1)\n");
  surroundings.sampler = "smi";
  const auto listing = cuda.list(surroundings);
  BOOST_TEST(listing.devices.size() == 1U);
  const std::string head =
      "| NPU   Name   | Health | Power(W) Temp(C) Hugepages |\n"
      "| Chip  Phy-ID | Bus-Id | AICore(%) Memory-Usage(MB) |\n";
  const auto chip = [](const std::string& card, const std::string& number) {
    return "| " + card + " 910B | OK | 90 40 0 / 0 |\n| " + number +
           " 0 | 0000:C1:00.0 | 0 1 / 2 |\n";
  };
  const auto& ascend = backends::find_backend("ascend", {});
  BOOST_CHECK_EXCEPTION(ascend.list(answering(head + chip("0", "0") + chip("0", "0"))), Error,
                        is_environment);
  // Chips of one card need not stand together.
  const auto apart =
      ascend.list(answering(head + chip("0", "0") + chip("1", "0") + chip("0", "1")));
  BOOST_REQUIRE(apart.devices.size() == 3U);
  BOOST_TEST(apart.devices[2].index == "0:1");
}

BOOST_AUTO_TEST_CASE(what_is_too_large_is_no_quantity) {
  BOOST_TEST(!backends::quantity("1e308 GHz", backends::Unit::clock));
  const auto& rocm = backends::find_backend("rocm", {});
  auto surroundings = answering("{\"card0\": {\"VRAM Total Memory (B)\": \"1e300\"}}");
  surroundings.sampler = "rocm-smi";
  BOOST_TEST(rocm.list(surroundings).devices.at(0).memory_mib.value() > 1e290);
}

BOOST_AUTO_TEST_CASE(quantiles_of_far_ends_are_numbers) {
  std::istringstream in("index\tsm_clock_mhz\n0\t-1.7e308\n0\t1.7e308\n");
  formats::RowReader reader(in, "in");
  BOOST_TEST(telemetry::summarise(reader, {}).at(0).sm_clock_mhz.median.value() == 0);
}

BOOST_AUTO_TEST_CASE(a_sigil_alone_is_no_name) {
  const auto view = ir::renamed("a %x\n", "a %\n");
  BOOST_TEST(view.before == "a %0\n");
  BOOST_TEST(view.after == "a %\n");
}

// A hole in a file or in a tar claims any size and costs nothing to make.
BOOST_AUTO_TEST_CASE(a_kernel_without_end_is_refused_and_can_be_interrupted) {
  process::StopRequest stop;
  ir::KernelReader reader({}, stop.token());
  std::size_t pieces = 0;
  const auto endless = [&](char* to, std::size_t size) {
    if (++pieces == 1000) stop.request(SIGINT);
    std::memset(to, 0, size);
    return size;
  };
  reader.most_bytes = 64U << 20U;
  BOOST_CHECK_EXCEPTION(reader.read("t/k.ttgir", endless), Error, [](const Error& e) {
    return is_input(e) && std::string(e.what()) == "t/k.ttgir: expected at most 67108864 bytes";
  });
  BOOST_TEST(pieces < 999);
  reader.most_bytes = ~std::uint64_t{0};
  BOOST_CHECK_EXCEPTION(reader.read("t/k.ttgir", endless), Error, is_environment);
  BOOST_TEST(pieces == 1000);
}

BOOST_AUTO_TEST_CASE(rows_whose_keys_never_repeat_are_no_table) {
  std::string text;
  for (int i = 0; i < 4097; ++i) text += "{\"k" + std::to_string(i) + "\": 1}\n";
  std::istringstream in(text);
  formats::RowReader reader(in, "in");
  formats::Row row;
  for (int i = 0; i < 4096; ++i) BOOST_REQUIRE(reader.next(row));
  BOOST_CHECK_EXCEPTION(reader.next(row), Error, [](const Error& e) {
    return is_input(e) &&
           std::string(e.what()) == "in:4097: /k4096: expected at most 4096 different keys";
  });
}

BOOST_AUTO_TEST_CASE(a_member_of_a_tar_is_not_its_namesake_below) {
  const Scratch scratch;
  scratch.write("t/k.ttgir", "top\n");
  scratch.write("t/x/k.ttgir", "below\n");
  process::Command command;
  const auto tar = (scratch.path / "x.tar").native();
  command.argv = {"tar", "-C", (scratch.path / "t").native(), "-cf", tar, "k.ttgir", "x/k.ttgir"};
  BOOST_REQUIRE(process::run(command, {}).ok());
  const auto tree = ir::read_tree(tar, {});
  for (const auto& kernel : tree.kernels)
    BOOST_TEST(ir::canonical_text(tree, kernel) ==
               (kernel.path == "k.ttgir" ? "top\n" : "below\n"));
}

BOOST_AUTO_TEST_SUITE_END()
