#include <boost/test/unit_test.hpp>
#include <cmath>
#include <filesystem>
#include <random>

#include "report/order_check.hpp"
#include "report/summary.hpp"
#include "report/tables.hpp"

using namespace zl;
using namespace zl::report;
using campaign::Side;

namespace {

/// A campaign made in memory: operators of five rows each, six rounds, one card.
struct Made {
  Sources sources;
  Measurements measurements;
};

struct Noise {
  double cell = 0.005;      ///< of the logarithm
  double disturbed = 0;     ///< share of cells that are 3 to 6 noises slower
  double row_spread = 0.3;  ///< rows differ in noise by this much, as a logarithm
  double drift = 0.01;      ///< of the whole card over the rounds, both sides alike
};

Made make_campaign(std::mt19937_64& random, std::size_t operators, unsigned rounds,
                   std::size_t changed_rows, const Noise& noise) {
  std::normal_distribution<double> normal;
  std::uniform_real_distribution<double> uniform;
  Made made;
  auto& all = made.measurements;
  all.notes = {"", "direct", "repeat=3"};
  for (std::size_t op = 0; op < operators; ++op) {
    const auto name = "op" + std::to_string(op);
    const auto first_row = all.rows.size();
    std::vector<double> scale, level;
    for (std::size_t i = 0; i < 5; ++i) {
      all.rows.push_back({name, "f16", std::to_string(i), 1, {}});
      scale.push_back(noise.cell * std::exp(noise.row_spread * normal(random)));
      level.push_back(0.05 * std::exp(2 * normal(random)));
    }
    for (unsigned round = 1; round <= rounds; ++round) {
      for (const Side side : {Side::before, Side::after}) {
        const auto id = static_cast<std::uint32_t>(all.cells.size());
        MeasuredCell cell;
        cell.cell = {name, round, side};
        cell.device = "card";
        cell.evidence = Evidence{10, 1980.0, 60.0, {}, 0.0, {}};
        const bool side_first = (round % 2 == 1) == (side == Side::before);
        cell.started =
            WallTime(std::chrono::milliseconds((round * 2 + (side_first ? 0 : 1)) * 1000));
        all.cells.push_back(cell);
        const double hit = uniform(random) < noise.disturbed ? 3 + 3 * uniform(random) : 0;
        for (std::size_t i = 0; i < 5; ++i) {
          const bool changed = first_row + i < changed_rows && side == Side::after;
          const double log_change = noise.drift * round / rounds +
                                    scale[i] * (normal(random) + hit) -
                                    (changed ? std::log(1.02) : 0);
          all.rows[first_row + i].latencies.push_back({id, 0, level[i] * std::exp(log_change)});
        }
      }
    }
  }
  return made;
}

std::size_t count(const Summary& summary, const char* verdict, std::size_t from, std::size_t to) {
  std::size_t found = 0;
  for (std::size_t i = from; i < to; ++i) found += summary.rows[i].verdict == verdict ? 1U : 0U;
  return found;
}

bool has_note(const SummaryRow& row, const std::string& text) {
  for (const auto& note : row.notes)
    if (note.find(text) != std::string::npos) return true;
  return false;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(summary)

BOOST_AUTO_TEST_CASE(identical_programs_over_200_campaigns) {
  std::mt19937_64 random(1);
  for (const double disturbed : {0.0, 0.05}) {
    for (const double least : {0.0, 1.0}) {
      std::size_t campaigns_with_findings = 0;
      for (int c = 0; c < 200; ++c) {
        const auto made = make_campaign(random, 10, 6, 0, {0.005, disturbed});
        SummaryOptions options;
        options.min_effect_pct = least;
        const auto found = summarise(made.sources, made.measurements, options);
        BOOST_REQUIRE(found.rows.size() == 50U);
        const bool any =
            count(found, verdict::faster, 0, 50) + count(found, verdict::slower, 0, 50) > 0;
        campaigns_with_findings += any ? 1U : 0U;
      }
      BOOST_TEST(campaigns_with_findings <= 10U);  // 5 %
    }
  }
}

BOOST_AUTO_TEST_CASE(a_true_two_percent_is_found) {
  // Rows of equal noise, and rows that differ in it by a third: the less alike the rows are, the
  // less they tell of each other.
  struct Case {
    double disturbed, row_spread;
    std::size_t least;  // of 1000
  };
  for (const auto& [disturbed, row_spread, least] :
       {Case{0, 0, 900}, Case{0, 0.3, 900}, Case{0.05, 0, 850}, Case{0.05, 0.3, 820}}) {
    std::mt19937_64 random(2);
    std::size_t found = 0, wrong = 0;
    for (int c = 0; c < 100; ++c) {
      const auto made = make_campaign(random, 10, 6, 10, {0.005, disturbed, row_spread});
      const auto summed = summarise(made.sources, made.measurements, {});
      found += count(summed, verdict::faster, 0, 10);
      wrong += count(summed, verdict::slower, 0, 10) + count(summed, verdict::faster, 10, 50) +
               count(summed, verdict::slower, 10, 50);
    }
    BOOST_TEST(found >= least, "of 1000 found: " << found);
    BOOST_TEST(wrong * 20 <= found, "wrong: " << wrong);  // one in twenty of the findings
    BOOST_TEST_MESSAGE("disturbed " << disturbed << ", spread " << row_spread << ": found " << found
                                    << " of 1000, wrong " << wrong);
  }
}

BOOST_AUTO_TEST_CASE(a_clock_drop_carries_its_note_on_exactly_its_rows) {
  std::mt19937_64 random(3);
  auto made = make_campaign(random, 10, 6, 0, {});
  for (auto& cell : made.measurements.cells)
    if (cell.cell.op == "op3" && cell.cell.side == Side::after && cell.cell.round == 2)
      cell.evidence->clock_mhz = 1410;
  const auto found = summarise(made.sources, made.measurements, {});
  for (const auto& row : found.rows)
    BOOST_TEST(has_note(row, "clock fell to 1410 of 1980 MHz r2/after") == (row.op == "op3"));
}

BOOST_AUTO_TEST_CASE(a_difference_that_is_only_clock_is_unclear) {
  std::mt19937_64 random(4);
  auto made = make_campaign(random, 10, 6, 0, {});
  for (auto& cell : made.measurements.cells)
    if (cell.cell.op == "op3" && cell.cell.side == Side::after)
      cell.evidence->clock_mhz = 1980 / 1.1;
  for (auto& row : made.measurements.rows)
    if (row.op == "op3")
      for (auto& latency : row.latencies)
        if (made.measurements.cells[latency.cell].cell.side == Side::after) latency.ms *= 1.1;
  const auto found = summarise(made.sources, made.measurements, {});
  for (const auto& row : found.rows) {
    BOOST_TEST(row.verdict != verdict::slower);
    BOOST_TEST(has_note(row, "not in cycles") == (row.op == "op3"));
  }
}

BOOST_AUTO_TEST_CASE(two_steps_of_the_timer_are_no_difference) {
  Made made;
  made.measurements.notes = {""};
  for (unsigned round = 1; round <= 6; ++round)
    for (const Side side : {Side::before, Side::after}) {
      MeasuredCell cell;
      cell.cell = {"op", round, side};
      made.measurements.cells.push_back(cell);
    }
  for (std::size_t i = 0; i < 20; ++i) {
    MeasuredKey row{"op", "f16", std::to_string(i), 1, {}};
    for (std::uint32_t cell = 0; cell < 12; ++cell) {
      // The first row: 40 ns of 3 us, without any noise; the second 60 ns.
      const std::size_t ticks = 150 + 37 * i - (cell % 2 == 1 && i < 2 ? 2 + i : 0);
      row.latencies.push_back({cell, 0, static_cast<double>(ticks) * 20e-6});
    }
    made.measurements.rows.push_back(row);
  }
  const auto found = summarise(made.sources, made.measurements, {});
  BOOST_TEST(found.timer_step_ms.value() == 20e-6, boost::test_tools::tolerance(1e-9));
  BOOST_TEST(found.rows[0].verdict == verdict::unclear);
  BOOST_TEST(has_note(found.rows[0], "within two steps of the timer (20 ns)"));
  BOOST_TEST(found.rows[1].verdict == verdict::faster);
  BOOST_TEST(found.rows[5].verdict == verdict::same);
}

BOOST_AUTO_TEST_CASE(what_did_not_count_is_named) {
  std::mt19937_64 random(5);
  auto made = make_campaign(random, 2, 4, 0, {});
  auto& rows = made.measurements.rows;
  rows[0].latencies.erase(rows[0].latencies.begin());  // a side of one round
  for (auto& latency : rows[1].latencies)              // a side of all rounds
    if (latency.cell % 2 == 1) latency.ms = 0;
  rows[2].latencies[1].note = 1;  // one side by the fallback timer
  rows[3].latencies.resize(4);    // two rounds only
  made.sources.op_notes["op1"].insert("SWITCH_NO_IR_DIFF");
  const auto found = summarise(made.sources, made.measurements, {});
  BOOST_TEST(found.rows.size() == 9U);
  BOOST_TEST(found.excluded.count("latency of a round without its other side") == 1U);
  BOOST_TEST(found.excluded.count("row on the before side only") == 1U);
  BOOST_TEST(has_note(found.rows[1], "direct (after)"));
  BOOST_TEST(found.rows[2].verdict == verdict::unclear);
  BOOST_TEST(has_note(found.rows[2], "too few rounds (2)"));
  BOOST_TEST(!found.rows[2].ci_low_pct);
  BOOST_TEST(count(found, verdict::same, 4, 9) == 5U);
  SummaryOptions incomparable;
  incomparable.comparable = false;
  const auto labelled = summarise(made.sources, made.measurements, incomparable);
  BOOST_TEST(count(labelled, verdict::non_comparable, 0, 9) == 9U);
}

BOOST_AUTO_TEST_CASE(an_effect_of_order_is_told) {
  std::mt19937_64 random(6);
  auto made = make_campaign(random, 4, 8, 0, {0.002, 0, 0, 0});
  // op1: whoever runs first is 2 % slower. op2: the after side gets 1 % slower with every round.
  for (auto& row : made.measurements.rows) {
    for (auto& latency : row.latencies) {
      const auto& cell = made.measurements.cells[latency.cell];
      const bool first = (cell.cell.round % 2 == 1) == (cell.cell.side == Side::before);
      if (row.op == "op1" && first) latency.ms *= 1.02;
      if (row.op == "op2" && cell.cell.side == Side::after)
        latency.ms *= 1 + 0.01 * cell.cell.round;
    }
  }
  const auto checks =
      check_order(summarise(made.sources, made.measurements, {}), made.measurements);
  BOOST_REQUIRE(checks.size() == 12U);
  for (const auto& check : checks) {
    const bool expected = (check.op == "op1" && check.check == "side that ran first") ||
                          (check.op == "op2" && check.check != "side that ran first");
    BOOST_TEST((check.verdict != "none") == expected,
               check.op << " " << check.check << " " << check.p);
  }
}

BOOST_AUTO_TEST_CASE(samples_pair_by_row_and_occurrence) {
  const std::filesystem::path logs = ZL_TEST_DATA "/flaggems-logs";
  const auto pairs = [&](const std::string& name) {
    const auto sources = find_sources({logs / "before" / name, logs / "after" / name});
    return summarise(sources, read_measurements(sources, false), {}).rows.size();
  };
  BOOST_TEST(pairs("abs.log") == 30U);
  BOOST_TEST(pairs("dropout.log") == 30U);
  BOOST_TEST(pairs("rand.log") == 15U);
  const auto sources = find_sources({logs / "addmm.log", logs / "addmm.log"});
  const auto addmm = summarise(sources, read_measurements(sources, false), {});
  BOOST_REQUIRE(addmm.rows.size() == 10U);
  BOOST_TEST(addmm.rows[1].size == addmm.rows[4].size);
  BOOST_TEST(addmm.rows[1].before_ms == 3.135728);
  BOOST_TEST(addmm.rows[4].before_ms == 3.137216);
  BOOST_TEST(addmm.rows[4].occurrence == 2U);
}

BOOST_AUTO_TEST_CASE(tables_and_records_are_one_row) {
  BOOST_TEST(size_key("([torch.Size([64, 64]), (1,)], {'out': torch.Size([2]), 'k': True})") ==
             size_key("[[[64, 64], [1]], {\"out\": [2], \"k\": true}]"));
  const std::filesystem::path logs = ZL_TEST_DATA "/flaggems-logs/simulated";
  const auto sources = find_sources(
      {logs / "01-abs-core-kernel-3dtypes.stdout.txt", logs / "01-benchmark_result.json"});
  BOOST_TEST(summarise(sources, read_measurements(sources, false), {}).rows.size() == 30U);
}

BOOST_AUTO_TEST_CASE(markdown_is_one_table) {
  Table table{{{"op", formats::ColumnType::text}, {"x", formats::ColumnType::number}},
              {{"a|b", "1"}}};
  BOOST_TEST(markdown(table) == "| op | x |\n| --- | ---: |\n| a\\|b | 1 |\n");
}

BOOST_AUTO_TEST_SUITE_END()
