#include "input.hpp"

#include <unistd.h>

#include <filesystem>
#include <set>
#include <sstream>

#include "base/error.hpp"
#include "base/text.hpp"
#include "campaign/campaign_record.hpp"

namespace zl::bench {

namespace {

unsigned rounds_asked(const cli::Context& context) {
  if (context.has("screen")) return 1;
  return static_cast<unsigned>(context.count("rounds", 1, campaign::most_rounds).value_or(6));
}

campaign::PlanRow named(const std::string& op, unsigned rounds) {
  campaign::PlanRow row;
  row.op = op;
  row.rounds = rounds;
  return row;
}

std::vector<campaign::PlanRow> from_operands(const cli::Context& context) {
  std::vector<campaign::PlanRow> rows;
  std::set<std::string> seen;
  for (const auto& op : context.operands) {
    if (op.empty()) throw usage_error("an operator's name is empty");
    if (!seen.insert(op).second) throw usage_error("operator " + in_quotes(op) + " is named twice");
    rows.push_back(named(op, rounds_asked(context)));
  }
  return rows;
}

/// Rows with an op column: a screen, or anything that names operators.
std::vector<campaign::PlanRow> from_table(formats::RowReader& reader, const cli::Context& context) {
  std::vector<campaign::PlanRow> rows;
  std::set<std::string> seen;
  formats::Row row;
  while (reader.next(row)) {
    const auto op_column = reader.require_column("op");
    const auto& op = row.fields.at(op_column);
    if (op.empty()) throw reader.error_at(row, op_column, "expected an operator's name");
    if (!seen.insert(op).second)
      throw reader.error_at(row, op_column, "operator " + in_quotes(op) + " appears twice");
    auto planned = named(op, rounds_asked(context));
    for (std::size_t i = 0; i < row.fields.size(); ++i)
      if (i != op_column && !campaign::is_plan_column(reader.columns()[i]))
        planned.fields[reader.columns()[i]] = row.fields[i];
    rows.push_back(std::move(planned));
  }
  return rows;
}

/// One name a line; blanks around it and lines that begin with `#` do not count.
std::vector<campaign::PlanRow> from_names(const std::string& text, const std::string& name,
                                          const cli::Context& context) {
  std::vector<campaign::PlanRow> rows;
  std::set<std::string> seen;
  std::size_t line = 0;
  for (const auto part : split(text, '\n')) {
    ++line;
    const auto op = std::string(trim(part));
    if (op.empty() || op.front() == '#') continue;
    if (op.find('\t') != std::string::npos)
      throw input_error({name, line, op.find('\t') + 1},
                        "expected one name a line, or a header with a column op");
    if (!seen.insert(op).second)
      throw input_error({name, line, 1}, "operator " + in_quotes(op) + " appears twice");
    rows.push_back(named(op, rounds_asked(context)));
  }
  return rows;
}

/// A table names its columns in the first line; anything else is a list of names.
bool is_table(const std::string& text) {
  const auto first = trim(std::string_view(text).substr(0, text.find('\n')));
  if (first.starts_with('{')) return true;
  for (const auto column : split(first, '\t'))
    if (trim(column) == "op") return true;
  return false;
}

std::vector<campaign::PlanRow> from_ops_file(cli::Context& context, const std::string& path) {
  cli::Input input(path, context);
  std::string text(std::istreambuf_iterator<char>(input.stream()), {});
  if (text.starts_with("\xEF\xBB\xBF")) text.erase(0, 3);
  if (!is_table(text)) return from_names(text, input.name(), context);
  std::istringstream in(text);
  formats::RowReader reader(in, input.name());
  return from_table(reader, context);
}

std::vector<campaign::PlanRow> from_plan(cli::Context& context, const std::string& path) {
  cli::Input input(path, context);
  formats::RowReader reader(input.stream(), input.name());
  if (!reader.has_header() && !reader.is_json())
    throw input_error({input.name()}, "empty; expected a plan, as zl-partition writes it");
  return campaign::read_plan(reader);
}

/// What exec or the file system would refuse later is refused before anything runs.
void check_names(const std::vector<campaign::PlanRow>& rows) {
  for (const auto& row : rows) {
    if (row.op.find('\0') != std::string::npos)
      throw usage_error("operator " + in_quotes(row.op) + ": a name cannot hold a zero byte");
    if (campaign::operator_component(row.op).size() > campaign::longest_component)
      throw usage_error("operator " + in_quotes(row.op.substr(0, 40)) +
                        "...: too long for a folder's name");
  }
}

std::vector<campaign::PlanRow> resumed_plan(cli::Context& context) {
  const auto path = std::filesystem::path(*context.value("output")) / campaign::plan_file;
  auto rows = from_plan(context, path.native());
  // A share of an array job may be empty, a campaign's plan is not.
  if (rows.empty() && !context.has("shard"))
    throw input_error({path.native()}, "no rows: the recorded plan was cut short");
  return rows;
}

}  // namespace

std::vector<campaign::PlanRow> read_input(cli::Context& context, bool resumed) {
  if (resumed) return resumed_plan(context);
  std::vector<campaign::PlanRow> rows;
  const auto ops = context.value("ops");
  if (ops && !context.operands.empty())
    throw usage_error("give either --ops or operands, not both");
  if (ops)
    rows = from_ops_file(context, *ops);
  else if (!context.operands.empty())
    rows = from_operands(context);
  else if (::isatty(STDIN_FILENO) != 0)
    throw usage_error("no operators: pipe a plan in, name --ops FILE, or give operands");
  else
    rows = from_plan(context, "-");
  if (rows.empty()) throw input_error({ops.value_or("<stdin>")}, "no operators to measure");
  check_names(rows);
  return rows;
}

}  // namespace zl::bench
