#include "campaign/partition_output.hpp"

#include <algorithm>
#include <boost/json.hpp>

#include "base/number.hpp"
#include "base/text.hpp"
#include "campaign/plan.hpp"

namespace zl::campaign {

namespace {

constexpr std::size_t most_device_lines = 16;
/// Rows of a plan come in an order that has nothing to do with where their text lies; asking for
/// it this many rows before it is written hides most of the wait.
constexpr std::size_t look_ahead = 16;

std::string duration(double seconds) {
  return seconds < 60 ? format_fixed(seconds, 1) + " s" : format_fixed(seconds / 60, 1) + " min";
}

std::string card_name(const Card& card) {
  return card.host.empty() ? card.device : card.host + ":" + card.device;
}

double gap_pct(const Partition& partition) {
  if (partition.optimal || partition.lower_bound_s <= 0) return 0;
  return (partition.makespan_s / partition.lower_bound_s - 1) * 100;
}

/// Operators (or parts of them) on each card.
std::vector<std::size_t> rows_of_cards(const PartitionReport& report) {
  std::vector<std::size_t> rows(report.cards.size());
  for (const auto& share : report.partition.shares) ++rows[share.card];
  return rows;
}

std::string left_out_line(const WorkList& work) {
  std::vector<std::string> parts;
  for (const auto& [status, rows] : work.left_out)
    parts.push_back(std::to_string(rows) + " " + (status.empty() ? "without status" : status));
  return "left out: " + join(parts, ", ");
}

std::string makespan_line(const Partition& partition) {
  std::string proof = "optimal";
  if (!partition.optimal)
    proof = "at most " + format_fixed(gap_pct(partition), 2) + " % over the best";
  return "makespan " + duration(partition.makespan_s) + " (" + proof + "), ideal share " +
         duration(partition.ideal_s);
}

}  // namespace

const char* algorithm_name(Algorithm algorithm) {
  switch (algorithm) {
    case Algorithm::longest_first:
      return "lpt";
    case Algorithm::hash:
      return "hash";
    case Algorithm::best:
      return "optimal";
  }
  return "";
}

void write_plan(std::ostream& out, const PartitionReport& report, formats::RowFormat format) {
  PlanShape shape{false, report.options.split_rounds, report.work.passthrough};
  for (const auto& card : report.cards) shape.hosts = shape.hosts || !card.host.empty();
  formats::RowWriter writer(out, plan_columns(shape), format);
  std::string line;
  const auto& shares = report.partition.shares;
  for (std::size_t i = 0; i < shares.size(); ++i) {
    const auto& share = shares[i];
    if (i + 2 * look_ahead < shares.size()) report.work.prefetch(shares[i + 2 * look_ahead].job);
    if (i + look_ahead < shares.size()) report.work.prefetch_text(shares[i + look_ahead].job);
    const auto& job = report.work.jobs[share.job];
    const auto& card = report.cards[share.card];
    auto fields = plan_fields({card.device,
                               card.host,
                               std::string(job.op),
                               share.rounds,
                               share.first_round,
                               job.weight_s,
                               share.rounds * job.weight_s,
                               share.start_s,
                               {}},
                              shape);
    if (format == formats::RowFormat::tsv) {
      line.clear();
      for (const auto& field : fields) {
        if (&field != &fields.front()) line += '\t';
        formats::append_tsv_field(line, field);
      }
      report.work.append_tsv(share.job, line);
      line += '\n';
      out << line;
      continue;
    }
    fields.reserve(fields.size() + shape.passthrough.size());
    report.work.append_fields(share.job, fields);
    writer.write(fields);
  }
}

boost::json::value report_json(const PartitionReport& report) {
  const auto& [work, cards, options, partition] = report;
  const auto seconds = [](double value) { return std::round(value * 1e6) / 1e6; };
  boost::json::object left_out;
  for (const auto& [status, rows] : work.left_out) left_out[status] = rows;
  boost::json::array devices;
  const auto rows = rows_of_cards(report);
  for (std::size_t i = 0; i < cards.size(); ++i)
    devices.push_back(boost::json::object{{"device", cards[i].device},
                                          {"host", cards[i].host},
                                          {"model", cards[i].model},
                                          {"rows", rows[i]},
                                          {"load_s", seconds(partition.loads_s[i])}});
  boost::json::object object = {{"algorithm", algorithm_name(options.algorithm)},
                                {"rounds", options.rounds},
                                {"split_rounds", options.split_rounds},
                                {"operators", work.jobs.size()},
                                {"split_operators", partition.split_jobs},
                                {"left_out", std::move(left_out)},
                                {"makespan_s", seconds(partition.makespan_s)},
                                {"ideal_s", seconds(partition.ideal_s)},
                                {"floor_s", seconds(partition.floor_s)},
                                {"floor_op", nullptr},
                                {"hash_makespan_s", seconds(partition.hash_makespan_s)},
                                {"lower_bound_s", seconds(partition.lower_bound_s)},
                                {"gap_pct", std::round(gap_pct(partition) * 1e4) / 1e4},
                                {"optimal", partition.optimal},
                                {"devices", std::move(devices)}};
  if (!work.jobs.empty()) object["floor_op"] = work.jobs[partition.heaviest].op;
  return object;
}

std::vector<std::string> report_lines(const PartitionReport& report) {
  const auto& [work, cards, options, partition] = report;
  std::vector<std::string> lines;
  lines.push_back(counted(work.jobs.size(), "operator") + ", " + counted(options.rounds, "round") +
                  ", " + counted(cards.size(), "device") + ", algorithm " +
                  algorithm_name(options.algorithm));
  if (!work.left_out.empty()) lines.push_back(left_out_line(work));
  if (work.jobs.empty()) return lines;
  lines.push_back(makespan_line(partition));
  lines.push_back("floor " + duration(partition.floor_s) + ": the heaviest operator, " +
                  std::string(work.jobs[partition.heaviest].op) +
                  (options.split_rounds ? ", were it not split" : ""));
  if (options.split_rounds)
    lines.push_back(counted(partition.split_jobs, "operator") + " split over several devices");
  lines.push_back("a partition by hash would take " + duration(partition.hash_makespan_s));
  const auto rows = rows_of_cards(report);
  for (std::size_t i = 0; i < std::min(cards.size(), most_device_lines); ++i)
    lines.push_back("device " + card_name(cards[i]) + ": " + counted(rows[i], "operator") + ", " +
                    duration(partition.loads_s[i]));
  if (cards.size() > most_device_lines)
    lines.push_back("and " + counted(cards.size() - most_device_lines, "more device"));
  return lines;
}

}  // namespace zl::campaign
