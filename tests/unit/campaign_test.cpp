#include <pthread.h>

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <filesystem>
#include <thread>

#include "backends/host_machine.hpp"
#include "backends/registry.hpp"
#include "base/error.hpp"
#include "base/files.hpp"
#include "base/parallel.hpp"
#include "campaign/campaign.hpp"
#include "campaign/command_provider.hpp"
#include "campaign/ended_cell.hpp"
#include "campaign/ledger.hpp"
#include "campaign/order.hpp"
#include "process/affinity.hpp"
#include "scratch.hpp"

using namespace zl;
using namespace zl::campaign;

namespace {

OpsStatus ended(const Cell& cell, const char* status) {
  OpsStatus row;
  row.cell = cell;
  row.device = "0";
  row.status = status;
  return row;
}

CellRequest request(const std::string& op) {
  CellRequest request;
  request.cell = {op, 1, Side::after};
  request.folder = "/out";
  request.switch_name = "FLAG";
  request.value = "1";
  request.plan_fields = {{"dtype", "float16"}};
  return request;
}

/// A provider without programs: what the n-th cell (from 1) comes to is the test's.
struct Scripted : Provider {
  std::function<CellResult(unsigned)> script;
  mutable unsigned cells = 0;
  explicit Scripted(std::function<CellResult(unsigned)> s) : script(std::move(s)) {}
  std::string name() const override { return "scripted"; }
  Prepared prepare(const CellRequest&) const override { return {}; }
  CellResult run(const CellRequest&, const Prepared&, const process::StopToken&) const override {
    return script(++cells);
  }
};

CellResult good(unsigned) {
  return ended_cell(process::Outcome());
}

/// Operators a and b on one device, two rounds each.
CampaignOptions two_operators(const std::filesystem::path& root) {
  CampaignOptions options;
  options.root = root;
  options.backend = &backends::find_backend("host", {});
  options.telemetry_interval_s = 0;
  options.devices.emplace_back();
  options.devices.front().index = "0";
  for (const char* op : {"a", "b"}) {
    PlanRow row;
    row.device = "0";
    row.op = op;
    row.rounds = 2;
    options.plan.push_back(row);
  }
  return options;
}

std::vector<std::string> statuses(const Ledger& ledger) {
  std::vector<std::string> all;
  for (const char* op : {"a", "b"})
    for (unsigned round = 1; round <= 2; ++round)
      for (const Side side : {Side::before, Side::after}) {
        const auto row = ledger.find({op, round, side});
        all.push_back(row ? row->status : "");
      }
  return all;
}

/// New threads ask for a stack that no address space has room for.
struct NoThreads {
  pthread_attr_t old;
  NoThreads() {
    ::pthread_getattr_default_np(&old);
    pthread_attr_t huge;
    ::pthread_attr_init(&huge);
    ::pthread_attr_setstacksize(&huge, std::size_t{1} << 48U);
    ::pthread_setattr_default_np(&huge);
    ::pthread_attr_destroy(&huge);
  }
  ~NoThreads() {
    ::pthread_setattr_default_np(&old);
    ::pthread_attr_destroy(&old);
  }
};

}  // namespace

BOOST_AUTO_TEST_SUITE(campaign)

BOOST_AUTO_TEST_CASE(threads_that_cannot_be_started_are_an_error_or_fewer_hands) {
  const test::Scratch root;
  Ledger ledger(root.path);
  {
    const NoThreads none;
    BOOST_CHECK_EXCEPTION(run_campaign(two_operators(root.path), Scripted(good), ledger, {}, {}),
                          Error, [](const Error& error) {
                            return error.kind() == ErrorKind::environment &&
                                   std::string(error.what()).starts_with("cannot start a thread: ");
                          });
    std::vector<int> done(100, 0);
    parallel_for(done.size(), 4, [&] { return [&](std::size_t i) { ++done[i]; }; });
    BOOST_TEST(std::count(done.begin(), done.end(), 1) == 100);
  }
  run_campaign(two_operators(root.path), Scripted(good), ledger, {}, {});
  BOOST_TEST(statuses(ledger) == std::vector<std::string>(8, status::ok),
             boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_machine_that_runs_dry_ends_the_campaign_and_blames_no_operator) {
  const test::Scratch root;
  for (const int number : {EAGAIN, EMFILE, ENOSPC, ENOMEM}) {
    Ledger ledger(root.path);
    const auto so_far = list_cells(root.path).size();
    const Scripted provider([&](unsigned cell) {
      if (cell == 2) throw system_error("cannot start 'x'", number);
      return good(cell);
    });
    BOOST_CHECK_EXCEPTION(run_campaign(two_operators(root.path), provider, ledger, {}, {}), Error,
                          [&](const Error& error) { return error.number() == number; });
    BOOST_TEST(provider.cells == 2U);
    BOOST_TEST(list_cells(root.path).size() == so_far + 1);
    BOOST_TEST(read_ops_status(root.path / ops_status_file).size() == so_far + 1);
  }
  Ledger ledger(root.path);
  const Scripted provider(good);
  run_campaign(two_operators(root.path), provider, ledger, {}, {});
  BOOST_TEST(provider.cells == 4U);
  // What is missing for the operator alone is its own failure.
  const test::Scratch other;
  Ledger own(other.path);
  run_campaign(two_operators(other.path),
               Scripted([](unsigned) -> CellResult { throw system_error("cannot start", ENOENT); }),
               own, {}, {});
  BOOST_TEST(own.find({"a", 1, Side::before})->status == status::failed);
}

BOOST_AUTO_TEST_CASE(a_program_that_cannot_be_ended_takes_its_device_out_of_the_campaign) {
  const test::Scratch root;
  Ledger ledger(root.path);
  const Scripted provider([](unsigned cell) {
    process::Outcome outcome;
    outcome.timed_out = cell == 2;
    outcome.left_behind = cell == 2 ? 4711 : 0;
    return ended_cell(outcome);
  });
  std::vector<std::string> warnings;
  CampaignEvents events;
  events.warning = [&](const std::string& text) { warnings.push_back(text); };
  run_campaign(two_operators(root.path), provider, ledger, events, {});
  BOOST_TEST(provider.cells == 2U);
  auto expected = std::vector<std::string>(8, status::device_lost);
  const bool before_first = ledger.find({"a", 1, Side::before})->status == status::ok;
  expected[before_first ? 0 : 1] = status::ok;
  BOOST_TEST(statuses(ledger) == expected, boost::test_tools::per_element());
  BOOST_REQUIRE(warnings.size() == 1U);
  BOOST_TEST(warnings[0].starts_with("device 0 has a program that cannot be ended"));
  run_campaign(two_operators(root.path), Scripted(good), ledger, {}, {});
  BOOST_TEST(statuses(ledger) == std::vector<std::string>(8, status::ok),
             boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(balanced_order_is_balanced_and_drawn_from_the_seed) {
  const Order order{Order::Kind::balanced, 42};
  bool differs = false;
  for (unsigned rounds = 1; rounds <= 9; ++rounds) {
    const auto sides = first_sides(order, "topk", rounds);
    const auto before = std::count(sides.begin(), sides.end(), Side::before);
    BOOST_TEST(sides.size() == rounds);
    BOOST_TEST(std::abs(2 * before - static_cast<long>(rounds)) <= 1);
    BOOST_TEST((sides == first_sides(order, "topk", rounds)));
    differs = differs || sides != first_sides({Order::Kind::balanced, 43}, "topk", rounds);
  }
  BOOST_TEST(differs);
}

BOOST_AUTO_TEST_CASE(orders_read_and_print) {
  for (const char* text : {"abba", "ab", "balanced:7"})
    BOOST_TEST(print_order(parse_order(text, 1)) == text);
  BOOST_TEST(print_order(parse_order("balanced", 5)) == "balanced:5");
  for (const char* text : {"", "ba", "balanced:", "balanced:x"})
    BOOST_CHECK_THROW(parse_order(text, 1), Error);
  const auto abba = first_sides(parse_order("abba", 0), "op", 4);
  BOOST_TEST((abba == std::vector<Side>{Side::before, Side::after, Side::before, Side::after}));
}

BOOST_AUTO_TEST_CASE(words_are_substituted_one_by_one) {
  CommandOptions options;
  options.command = {"run", "{op}", "--{side}={dtype}", "{out}/x", "{print $1}", "{op"};
  const auto prepared = make_command_provider(options)->prepare(request("a b; rm -rf $HOME"));
  const std::vector<std::string> expected = {"run",    "a b; rm -rf $HOME", "--after=float16",
                                             "/out/x", "{print $1}",        "{op"};
  BOOST_TEST(prepared.command.argv == expected, boost::test_tools::per_element());
  BOOST_TEST(prepared.command.environment.at("FLAG").value() == "1");
}

BOOST_AUTO_TEST_CASE(a_ledger_survives_every_point_of_a_crash) {
  const test::Scratch root;
  const Cell done{"abs", 1, Side::before}, renamed{"abs", 1, Side::after},
      half{"abs", 2, Side::before};
  {
    Ledger ledger(root.path);
    for (const auto& cell : {done, renamed}) {
      ledger.open_cell(cell);
      ledger.close_cell(ended(cell, status::ok));
    }
    ledger.open_cell(half);
  }
  // Killed after the second cell got its name and before its line was written, the first line
  // whole, a third one cut short.
  const auto file = root.path / ops_status_file;
  const auto text = read_file(file);
  const auto second_line = text.find('\n', text.find('\n') + 1) + 1;
  replace_file(file, text.substr(0, second_line) + "abs\t0\t2");
  const Ledger ledger(root.path);
  BOOST_TEST(!ledger.is_missing(done));
  BOOST_TEST(!ledger.is_missing(renamed));
  BOOST_TEST(ledger.is_missing(half));
  BOOST_TEST(!std::filesystem::exists(cell_folder(root.path, half).native() + ".part"));
  const Ledger again(root.path);
  BOOST_TEST(!again.is_missing(renamed));
}

BOOST_AUTO_TEST_CASE(a_cell_measured_again_keeps_the_earlier_one) {
  const test::Scratch root;
  const Cell cell{"abs", 1, Side::before};
  Ledger ledger(root.path);
  for (int i = 0; i < 3; ++i) {
    ledger.open_cell(cell);
    ledger.close_cell(ended(cell, i == 2 ? status::ok : status::failed));
  }
  BOOST_TEST(ledger.find(cell)->status == status::ok);
  BOOST_TEST(list_cells(root.path).size() == 1U);
  BOOST_TEST(std::filesystem::exists(cell_folder(root.path, cell).native() + ".old.2"));
}

BOOST_AUTO_TEST_CASE(only_outside_reasons_make_a_cell_missing_again) {
  const test::Scratch root;
  Ledger ledger(root.path);
  const Cell cell{"abs", 1, Side::before};
  for (const char* status : {status::interrupted, status::device_lost}) {
    ledger.note_cell(ended(cell, status));
    BOOST_TEST(ledger.is_missing(cell));
  }
  for (const char* status : {status::failed, status::timeout, status::ok, status::no_ir_diff}) {
    ledger.note_cell(ended(cell, status));
    BOOST_TEST(!ledger.is_missing(cell));
  }
}

BOOST_AUTO_TEST_CASE(a_device_of_cpus_is_used_by_running_there) {
  // In a thread: what is bound stays bound.
  std::thread([] {
    const std::vector<unsigned> none = {65535};
    BOOST_TEST(!process::bind_thread(none));
    BOOST_TEST(process::bind_thread({}));
  }).join();

  CommandOptions command;
  command.command = {"grep", "Cpus_allowed_list", "/proc/self/status"};
  command.runs = 1;
  process::Command ask;
  ask.argv = command.command;
  const auto allowed = process::run(ask).out;
  const auto cpus = backends::parse_cpu_list(allowed.substr(allowed.find('\t') + 1));
  BOOST_REQUIRE(!cpus.empty());
  const test::Scratch root;
  CampaignOptions options;
  options.root = root.path;
  options.backend = &backends::find_backend("host", {});
  options.telemetry_interval_s = 0;
  options.static_plan = true;
  for (const unsigned cpu : {cpus.front(), cpus.back(), 65535U}) {
    backends::Device device;
    device.index = std::to_string(options.devices.size());
    device.cpus = {cpu};
    PlanRow row;
    row.device = device.index;
    row.op = "on" + device.index;
    options.plan.push_back(row);
    options.devices.push_back(device);
  }
  std::vector<std::string> warnings;
  CampaignEvents events;
  events.warning = [&](const std::string& text) { warnings.push_back(text); };
  Ledger ledger(root.path);
  run_campaign(options, *make_command_provider(command), ledger, events, {});
  const auto ran_on = [&](const std::string& op) {
    const auto log = read_file(cell_folder(root.path, {op, 1, Side::before}) / run_log_file);
    const auto from = log.find("Cpus_allowed_list:\t") + 19;
    return log.substr(from, log.find('\n', from) - from);
  };
  BOOST_TEST(ran_on("on0") == std::to_string(cpus.front()));
  BOOST_TEST(ran_on("on1") == std::to_string(cpus.back()));
  BOOST_TEST(ran_on("on2") == allowed.substr(19, allowed.find('\n') - 19));
  BOOST_REQUIRE(warnings.size() == 1U);
  BOOST_TEST(warnings[0].starts_with("device 2: none of its CPUs"));
}

BOOST_AUTO_TEST_SUITE_END()
