#include <algorithm>
#include <optional>

#include "base/error.hpp"
#include "base/parallel.hpp"
#include "campaign/judge.hpp"
#include "cli/exit_status.hpp"
#include "modes.hpp"

namespace zl::irfp {

namespace {

/// Enough to keep every processor busy, few enough to stream.
constexpr std::size_t batch_size = 256;

struct Judged {
  std::vector<std::string> fields;  ///< status and what follows
  int status = cli::exit_done;
};

const std::vector<formats::Column>& verdict_columns() {
  using enum formats::ColumnType;
  static const std::vector<formats::Column> columns = {
      {"status", text},       {"kernels_before", number}, {"kernels_after", number},
      {"cvt_before", number}, {"cvt_after", number},      {"criterion", text},
      {"reason", text}};
  return columns;
}

Judged judge(const std::string& before, const std::string& after, const ir::Criterion& criterion,
             const ir::ReadOptions& options) {
  campaign::ScreenRow row;
  try {
    row = campaign::judge_pair(before, after, criterion, options);
  } catch (const Error& error) {
    if (options.stop.requested()) throw;
    row.status = campaign::screen_status::no_ir;
    row.criterion = criterion.text();
    row.reason = error.what();
  }
  const auto all = campaign::screen_fields(row);
  Judged judged;
  judged.fields = {all[1], all[2], all[3], all[4], all[5], all[8], all[9]};
  judged.status = row.status == campaign::screen_status::same      ? cli::exit_done
                  : row.status == campaign::screen_status::changed ? cli::exit_different
                                                                   : cli::exit_bad_input;
  return judged;
}

/// Input columns in front of the verdict's; those that an earlier verdict left give way.
class Table {
 public:
  Table(cli::Context& context, const formats::RowReader& reader) {
    std::vector<formats::Column> columns;
    const auto& own = verdict_columns();
    for (std::size_t i = 0; i < reader.columns().size(); ++i) {
      const auto& name = reader.columns()[i];
      if (std::any_of(own.begin(), own.end(),
                      [&](const auto& column) { return column.name == name; }))
        continue;
      passed_.push_back(i);
      columns.push_back({name, formats::ColumnType::automatic});
    }
    columns.insert(columns.end(), own.begin(), own.end());
    writer_.emplace(context.out, std::move(columns), context.row_format());
  }

  void write(const formats::Row& row, const Judged& judged) {
    std::vector<std::string> fields;
    for (const auto i : passed_)
      fields.push_back(i < row.fields.size() ? row.fields[i] : std::string());
    fields.insert(fields.end(), judged.fields.begin(), judged.fields.end());
    writer_->write(fields);
  }

 private:
  std::vector<std::size_t> passed_;
  std::optional<formats::RowWriter> writer_;
};

}  // namespace

int judge_pairs(cli::Context& context, const ir::Criterion& criterion) {
  if (!context.operands.empty()) throw usage_error("--pairs takes its trees from standard input");
  formats::RowReader reader(context.in, "<stdin>");
  std::optional<Table> table;
  int status = cli::exit_done;
  const auto options = read_options(context, 1);
  for (bool more = true; more && !context.stop.requested();) {
    std::vector<formats::Row> rows;
    formats::Row row;
    while (rows.size() < batch_size && (more = reader.next(row))) rows.push_back(row);
    if (rows.empty() && !reader.has_header())
      throw input_error({"<stdin>", 0, 0}, "expected rows: before after");
    const auto before = reader.require_column("before"), after = reader.require_column("after");
    for (const auto& r : rows)
      for (const auto column : {before, after})
        if (formats::RowReader::field(r, column).empty())
          throw reader.error_at(r, column, "expected a folder");
    if (!table) table.emplace(context, reader);
    std::vector<Judged> judged(rows.size());
    parallel_for(rows.size(), default_threads(), [&]() -> std::function<void(std::size_t)> {
      return [&](std::size_t i) {
        judged[i] = judge(rows[i].fields[before], rows[i].fields[after], criterion, options);
      };
    });
    for (std::size_t i = 0; i < rows.size(); ++i) {
      table->write(rows[i], judged[i]);
      status = std::max(status, judged[i].status);
    }
    context.out.flush();
  }
  return status;
}

}  // namespace zl::irfp
