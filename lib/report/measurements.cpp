#include "report/measurements.hpp"

#include <unordered_map>

#include "base/error.hpp"
#include "base/number.hpp"
#include "base/parallel.hpp"
#include "base/text.hpp"
#include "formats/run_log.hpp"

namespace zl::report {

namespace {

/// What a thread makes of one source.
struct SourceRows {
  std::vector<formats::MeasuredRow> rows;
  std::vector<std::string> keys;
  formats::Diagnostics seen;
  std::optional<Evidence> evidence;
  std::vector<std::string> problems;
};

std::string key_of(const std::string& cell_op, const formats::MeasuredRow& row) {
  std::string_view dtype = row.dtype;
  if (dtype.starts_with("torch.")) dtype.remove_prefix(6);
  auto key = cell_op + '\0' + row.op + '\0';
  (key += dtype) += '\0';
  return key += size_key(row.size);
}

SourceRows read_source(const Source& source, bool by_hand, bool with_trace) {
  SourceRows read;
  for (const auto& file : source.files) {
    formats::Diagnostics seen;
    try {
      auto rows = formats::read_run_log(file, seen);
      if (rows.empty() && seen.dropped.empty() && seen.failures.empty())
        read.problems.push_back(file.native() + ": no table, record or row");
      for (auto& row : rows) {
        read.keys.push_back(key_of(source.cell.op, row));
        read.rows.push_back(std::move(row));
      }
    } catch (const Error& error) {
      if (by_hand) throw;
      read.problems.emplace_back(error.what());
    }
    for (auto& [reason, lines] : seen.dropped) {
      auto& all = read.seen.dropped[reason];
      if (all.count == 0)
        all.example = file.native() + ":" + std::to_string(lines.first_line) + ": " +
                      printable(lines.example);
      all.count += lines.count;
    }
    read.seen.modes.merge(seen.modes);
    read.seen.failures.merge(seen.failures);
  }
  const auto& identity = source.run.identity;
  try {
    read.evidence =
        read_evidence(source.telemetry, identity ? identity->device.index : "", with_trace);
  } catch (const Error& error) {
    read.problems.emplace_back(error.what());
  }
  return read;
}

MeasuredCell cell_of(const Source& source) {
  MeasuredCell cell;
  cell.cell = source.cell;
  cell.name = source.run.name;
  cell.note = source.note;
  cell.timer = source.timer;
  if (const auto& identity = source.run.identity) {
    const auto& device = identity->device;
    cell.device = device.uuid.empty() ? identity->host + ":" + device.index : device.uuid;
    cell.value = identity->value.value_or("");
    cell.started = parse_time(identity->started_at);
    cell.finished = parse_time(identity->finished_at);
  }
  return cell;
}

/// Why a row does not count; "" where it does.
const char* problem_of(const formats::MeasuredRow& row) {
  if (row.status != "SUCCESS") return "row FAILED";
  if (!row.latency_ms) return "row without a latency";
  if (*row.latency_ms <= 0) return "row whose latency is not positive";
  return "";
}

class Gatherer {
 public:
  explicit Gatherer(Measurements& into) : into_(into) {
    into_.notes.emplace_back();
    notes_.emplace("", 0);
  }

  void add(const Source& source, SourceRows&& read) {
    const auto id = static_cast<std::uint32_t>(into_.cells.size());
    into_.cells.push_back(cell_of(source));
    auto& cell = into_.cells.back();
    cell.evidence = std::move(read.evidence);
    into_.modes.merge(read.seen.modes);
    for (const auto& [reason, lines] : read.seen.dropped)
      into_.excluded.add(reason, lines.example, lines.count);
    for (const auto& problem : read.problems) into_.excluded.add("unreadable", printable(problem));
    for (const auto& [op, reason] : read.seen.failures)
      into_.excluded.add("operator that did not pass", printable(op + ": " + reason));
    for (std::size_t i = 0; i < read.rows.size(); ++i)
      add_row(read.rows[i], std::move(read.keys[i]), id);
  }

 private:
  void add_row(formats::MeasuredRow& row, std::string&& key, std::uint32_t cell) {
    const std::string_view problem = problem_of(row);
    if (!problem.empty())
      into_.excluded.add(
          std::string(problem),
          printable(row.op + " " + row.dtype + " " + row.size) + " in " + into_.cells[cell].name);
    auto& measured = find(row, std::move(key), cell);
    measured.latencies.push_back(
        {cell, note_of(row, into_.cells[cell]), problem.empty() ? *row.latency_ms : 0});
  }

  /// The first occurrence of the row that this cell has not filled yet.
  MeasuredKey& find(formats::MeasuredRow& row, std::string&& key, std::uint32_t cell) {
    for (unsigned occurrence = 1;; ++occurrence) {
      const auto [place, is_new] = rows_.emplace(key, into_.rows.size());
      if (is_new) {
        into_.rows.push_back(
            {std::move(row.op), std::move(row.dtype), std::move(row.size), occurrence, {}});
        return into_.rows.back();
      }
      auto& found = into_.rows[place->second];
      if (found.latencies.empty() || found.latencies.back().cell != cell) return found;
      // Rows of one cell come together, so its last entry tells; the key of the next occurrence
      // is one byte longer.
      key += '\1';
    }
  }

  std::uint32_t note_of(const formats::MeasuredRow& row, const MeasuredCell& cell) {
    auto note = row.note;
    if (!row.timer.empty() && !cell.timer.empty() && row.timer != cell.timer &&
        note.find(row.timer) == std::string::npos)
      note += (note.empty() ? "" : ",") + row.timer;
    const auto [place, is_new] =
        notes_.emplace(note, static_cast<std::uint32_t>(into_.notes.size()));
    if (is_new) into_.notes.push_back(note);
    return place->second;
  }

  Measurements& into_;
  std::unordered_map<std::string, std::size_t> rows_;
  std::unordered_map<std::string, std::uint32_t> notes_;
};

}  // namespace

Measurements read_measurements(const Sources& sources, bool with_traces) {
  Measurements all;
  Gatherer gatherer(all);
  // In batches, so that the rows of a few cells only are in memory before they are gathered.
  constexpr std::size_t batch = 64;
  for (std::size_t first = 0; first < sources.cells.size(); first += batch) {
    const auto count = std::min(batch, sources.cells.size() - first);
    std::vector<SourceRows> read(count);
    parallel_for(count, default_threads(), [&] {
      return [&](std::size_t i) {
        read[i] = read_source(sources.cells[first + i], sources.by_hand, with_traces);
      };
    });
    for (std::size_t i = 0; i < count; ++i)
      gatherer.add(sources.cells[first + i], std::move(read[i]));
  }
  return all;
}

}  // namespace zl::report
