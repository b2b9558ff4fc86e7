#include "formats/run_log.hpp"

#include <algorithm>
#include <boost/json.hpp>
#include <iterator>
#include <sstream>

#include "base/files.hpp"
#include "base/text.hpp"
#include "formats/json.hpp"
#include "formats/record_json.hpp"
#include "formats/table_lines.hpp"

namespace zl::formats {

void Diagnostics::drop(const std::string& reason, std::size_t line, std::string_view example) {
  auto& lines = dropped[reason];
  if (lines.count++ != 0) return;
  constexpr std::size_t enough = 60;
  lines.first_line = line;
  lines.example =
      example.size() > enough ? std::string(example.substr(0, enough)) + "…" : std::string(example);
}

namespace {

constexpr const char* cut_off = "row cut off";

/// FlagGems tables among other lines.
class Tables {
 public:
  explicit Tables(Diagnostics& diagnostics) : diagnostics_(diagnostics) {}

  /// True when the line belongs to a table. `last`: no newline ends it.
  bool take(std::string_view line, std::size_t number, bool last) {
    // Most lines are rows of an open table.
    if (header_ && line.starts_with("SUCCESS ")) {
      if (const auto row = parse_table_row(line, *header_)) return add(*row, line, number), true;
    }
    if (auto title = parse_table_title(line)) {
      close();
      title_ = std::move(title);
      title_line_ = number;
      if (!title_->mode.empty()) diagnostics_.modes.insert(title_->mode);
      if (!title_->level.empty()) diagnostics_.levels.insert(title_->level);
      return true;
    }
    if (const auto header = parse_table_header(line)) {
      if (header_) close(), title_.reset();
      header_ = header;
      return true;
    }
    if (!header_) return false;
    if (header_->size_first && trim(line).empty()) return close(), title_.reset(), true;
    const auto row = parse_table_row(line, *header_);
    if (row) add(*row, line, number);
    // Of the last line there may be a few bytes only.
    else if (last && !trim(line).empty() && std::string_view("SUCCESS").starts_with(trim(line)))
      diagnostics_.drop(cut_off, number, line);
    else
      return false;
    return true;
  }

  /// A table is printed whole, so one without a row was cut off.
  void close() {
    if (title_ && rows_of_table_ == 0)
      diagnostics_.drop("table without rows", title_line_, title_->op);
    rows_of_table_ = 0;
    header_.reset();
  }

  std::vector<MeasuredRow> rows;

 private:
  void add(const TableRow& row, std::string_view line, std::size_t number) {
    ++rows_of_table_;
    if (!row.complete) return diagnostics_.drop(cut_off, number, line);
    if (!title_) return diagnostics_.drop("row of a table without a title", number, line);
    MeasuredRow measured;
    measured.op = title_->op;
    measured.dtype = title_->dtype;
    measured.size = row.size;
    measured.latency_ms = row.latency_ms;
    measured.base_ms = row.base_ms;
    if (row.status != "SUCCESS") measured.status = "FAILED";
    rows.push_back(std::move(measured));
  }

  Diagnostics& diagnostics_;
  std::optional<TableTitle> title_;
  std::optional<TableHeader> header_;
  std::size_t title_line_ = 0;
  std::size_t rows_of_table_ = 0;
};

/// Rows as TSV or JSON Lines among other lines: kept aside with every other line blank, so that
/// the one reader of rows reads them and its messages name the right line.
class RowLines {
 public:
  explicit RowLines(Diagnostics& diagnostics) : diagnostics_(diagnostics) {}

  bool take(std::string_view line, std::size_t number) {
    if (line.starts_with('{')) {
      if (line.find("\"latency_ms\"") == std::string_view::npos) return false;
      json_ = json_ || tabs_ == 0;
    } else {
      const auto tabs = static_cast<std::size_t>(std::count(line.begin(), line.end(), '\t'));
      if (tabs == 0) return false;
      if (tabs_ == 0) {
        const auto names = split(line, '\t');
        const auto has = [&](std::string_view name) {
          return std::find(names.begin(), names.end(), name) != names.end();
        };
        if (json_ || !has("op") || !has("latency_ms")) return false;
        tabs_ = tabs;
        header_ = line;
        header_line_ = number;
      } else if (line == header_) {
        return true;  // a program that ran twice
      } else if (tabs != tabs_) {
        diagnostics_.drop("row of another width", number, line);
        return true;
      }
    }
    text_.append(number - lines_ - 1, '\n');
    (text_ += line) += '\n';
    lines_ = number;
    return true;
  }

  void read(const std::string& name, std::vector<MeasuredRow>& rows) {
    if (text_.empty()) return;
    std::istringstream in(std::move(text_));
    try {
      RowReader reader(in, name);
      read(reader, rows);
    } catch (const Error& error) {
      diagnostics_.drop("rows under a malformed header", header_line_, error.what());
    }
  }

 private:
  void read(RowReader& reader, std::vector<MeasuredRow>& rows) {
    Row row;
    for (;;) {
      try {
        if (!reader.next(row)) return;
        rows.push_back(read_measured_row(reader, row));
      } catch (const Error& error) {
        diagnostics_.drop("malformed row", row.line, error.what());
      }
    }
  }

  Diagnostics& diagnostics_;
  std::string text_;
  std::string header_;
  std::size_t header_line_ = 0;
  std::size_t lines_ = 0;
  std::size_t tabs_ = 0;  ///< of the TSV header; 0 before one was seen
  bool json_ = false;
};

constexpr std::string_view info = "[INFO] ";

class LogReader {
 public:
  LogReader(const std::string& name, Diagnostics& diagnostics)
      : name_(name), diagnostics_(diagnostics), tables_(diagnostics), row_lines_(diagnostics) {}

  void read(std::string_view bytes) {
    std::size_t number = 0;
    while (!bytes.empty()) {
      const auto newline = bytes.find('\n');
      take(plain_line(bytes.substr(0, newline), buffer_), ++number,
           newline == std::string_view::npos);
      bytes.remove_prefix(newline == std::string_view::npos ? bytes.size() : newline + 1);
    }
    tables_.close();
  }

  std::vector<MeasuredRow> rows() {
    std::set<std::pair<std::string, std::string>> recorded;
    for (const auto& row : records_) recorded.emplace(row.op, row.dtype);
    auto rows = std::move(records_);
    for (auto& row : tables_.rows) {
      if (recorded.empty() || !recorded.contains({row.op, row.dtype}))
        rows.push_back(std::move(row));
      else
        diagnostics_.drop("table beside its own record", 0, row.op + " " + row.dtype);
    }
    row_lines_.read(name_, rows);
    return rows;
  }

 private:
  void take(std::string_view line, std::size_t number, bool last) {
    const bool logged = line.starts_with(info);
    if (logged) line = trim(line.substr(info.size()));
    if (line.starts_with("{\"") && line.find("\"op_name\"") != std::string_view::npos)
      return record(line, number);
    if (logged) return;  // a word of the logger, or a query's Python dictionary
    if (tables_.take(line, number, last)) return;
    row_lines_.take(line, number);
  }

  void record(std::string_view line, std::size_t number) {
    const auto value = try_parse_json(json_from_python(line));
    if (!value || !is_record(*value)) return diagnostics_.drop("record cut off", number, line);
    append_record(*value, number, diagnostics_, records_);
  }

  const std::string& name_;
  Diagnostics& diagnostics_;
  Tables tables_;
  RowLines row_lines_;
  std::vector<MeasuredRow> records_;
  std::string buffer_;
};

/// A report is one JSON object over many lines, or one line that is neither record nor row.
bool is_report(std::string_view bytes) {
  if (!bytes.starts_with('{')) return false;
  const auto first_line = bytes.substr(0, bytes.find('\n'));
  if (trim(first_line) == "{" || trim(first_line) == "{}") return true;
  return first_line.find("\"details\"") != std::string_view::npos ||
         (first_line.find("\"test_case\"") != std::string_view::npos &&
          first_line.find("\"latency_ms\"") == std::string_view::npos);
}

}  // namespace

std::vector<MeasuredRow> read_run_log(std::string_view bytes, const std::string& name,
                                      Diagnostics& diagnostics) {
  if (bytes.starts_with("\xEF\xBB\xBF")) bytes.remove_prefix(3);
  if (const auto text = trim(bytes); is_report(text)) {
    const auto report = parse_json(json_from_python(bytes), name);
    std::vector<MeasuredRow> rows;
    append_report(report, diagnostics, rows);
    return rows;
  }
  LogReader reader(name, diagnostics);
  reader.read(bytes);
  return reader.rows();
}

std::vector<MeasuredRow> read_run_log(std::istream& in, const std::string& name,
                                      Diagnostics& diagnostics) {
  const std::string bytes{std::istreambuf_iterator<char>(in), {}};
  if (in.bad()) throw environment_error("cannot read " + in_quotes(name));
  return read_run_log(bytes, name, diagnostics);
}

std::vector<MeasuredRow> read_run_log(const std::filesystem::path& file, Diagnostics& diagnostics) {
  return read_run_log(read_file(file), file.native(), diagnostics);
}

}  // namespace zl::formats
