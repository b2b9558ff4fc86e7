#include "campaign/work_list.hpp"

#include <algorithm>
#include <functional>
#include <optional>

#include "base/number.hpp"
#include "base/text.hpp"
#include "campaign/plan.hpp"
#include "campaign/screen.hpp"

namespace zl::campaign {

namespace {

using formats::Row;
using formats::RowReader;

constexpr double most_seconds = 1e9;

/// Where the columns stand; JSON Lines may bring new ones at any row.
struct Layout {
  std::size_t columns = 0;
  std::size_t op = 0;
  std::optional<std::size_t> status;
  std::vector<std::size_t> weights;      ///< the columns whose sum is the weight
  std::vector<std::size_t> passthrough;  ///< in the order of the table
};

Layout layout_of(const RowReader& reader) {
  Layout layout;
  layout.columns = reader.columns().size();
  layout.op = reader.require_column("op");
  layout.status = reader.column("status");
  if (const auto weight = reader.column("weight_s");
      weight && !reader.column("elapsed_before") && !reader.column("elapsed_after"))
    layout.weights = {*weight};
  else
    layout.weights = {reader.require_column("elapsed_before"),
                      reader.require_column("elapsed_after")};
  for (std::size_t i = 0; i < layout.columns; ++i)
    if (!is_plan_column(reader.columns()[i])) layout.passthrough.push_back(i);
  return layout;
}

double weight_of(const RowReader& reader, const Row& row, const Layout& layout) {
  double sum = 0;
  for (const auto column : layout.weights) {
    const auto value = reader.number_at(row, column);
    if (!value) throw reader.error_at(row, column, "expected seconds, got an empty field");
    if (*value < 0 || *value > most_seconds)
      throw reader.error_at(
          row, column,
          "expected seconds from 0 to 1e9, got " + in_quotes(RowReader::field(row, column)));
    sum += *value;
  }
  return sum;
}

formats::Column typed_column(const std::string& name) {
  const auto& known = screen_columns();
  const auto at = std::find_if(known.begin(), known.end(),
                               [&](const auto& column) { return column.name == name; });
  return at == known.end() ? formats::Column{name} : *at;
}

void keep_fields(WorkList& work, const Row& row, const Layout& layout, std::string& record) {
  record.clear();
  for (const auto column : layout.passthrough) {
    if (column != layout.passthrough.front()) record += '\t';
    formats::append_tsv_field(record, RowReader::field(row, column));
  }
  work.records.push_back(work.text.keep(record));
  work.fields.push_back(static_cast<std::uint32_t>(layout.passthrough.size()));
}

/// Names with the lines they stand on; open addressing, as a node a name would cost a cache miss
/// and 60 bytes more.
class NameLines {
 public:
  /// The line of an equal name that was added before; nothing when this is the first.
  std::optional<std::size_t> add(std::string_view name, std::size_t line) {
    if (2 * (names_.size() + 1) > slots_.size()) grow();
    const auto hash = std::hash<std::string_view>{}(name);
    auto& slot = slots_[find(name, hash)];
    if (slot.number != 0) return lines_[slot.number - 1];
    names_.push_back(name);
    lines_.push_back(line);
    hashes_.push_back(hash);
    slot = {static_cast<std::uint32_t>(names_.size()), tag_of(hash)};
    return std::nullopt;
  }

 private:
  struct Slot {
    std::uint32_t number = 0;  ///< 1 + position in names_; 0 is free
    std::uint32_t tag = 0;     ///< of the hash: other names are told apart without a look at them
  };

  static std::uint32_t tag_of(std::size_t hash) { return static_cast<std::uint32_t>(hash >> 32U); }

  std::size_t find(std::string_view name, std::size_t hash) const {
    const auto mask = slots_.size() - 1;
    auto at = hash & mask;
    while (slots_[at].number != 0 &&
           (slots_[at].tag != tag_of(hash) || names_[slots_[at].number - 1] != name))
      at = (at + 1) & mask;
    return at;
  }

  void grow() {
    slots_.assign(std::max<std::size_t>(1024, 4 * slots_.size()), {});
    const auto mask = slots_.size() - 1;
    for (std::uint32_t i = 0; i < names_.size(); ++i) {
      auto at = hashes_[i] & mask;
      while (slots_[at].number != 0) at = (at + 1) & mask;
      slots_[at] = {i + 1, tag_of(hashes_[i])};
    }
  }

  std::vector<Slot> slots_;
  std::vector<std::string_view> names_;
  std::vector<std::size_t> lines_, hashes_;
};

}  // namespace

std::string_view TextStore::keep(std::string_view text) {
  if (size_ - used_ < text.size() || blocks_.empty()) {
    size_ = std::max<std::size_t>(text.size(), 1U << 20);
    blocks_.push_back(std::make_unique<char[]>(size_));
    used_ = 0;
  }
  char* const at = blocks_.back().get() + used_;
  std::copy(text.begin(), text.end(), at);
  used_ += text.size();
  return {at, text.size()};
}

void WorkList::append_fields(std::size_t job, std::vector<std::string>& to) const {
  if (fields[job] != 0)
    for (const auto field : split(records[job], '\t'))
      to.push_back(formats::unescaped_tsv_field(field));
  to.resize(to.size() + passthrough.size() - fields[job]);
}

void WorkList::append_tsv(std::size_t job, std::string& to) const {
  if (fields[job] != 0) to += '\t';
  to += records[job];
  to.append(passthrough.size() - fields[job], '\t');
}

void WorkList::prefetch(std::size_t job) const {
  __builtin_prefetch(&jobs[job]);
  __builtin_prefetch(&records[job]);
  __builtin_prefetch(&fields[job]);
}

void WorkList::prefetch_text(std::size_t job) const {
  __builtin_prefetch(jobs[job].op.data());
  __builtin_prefetch(records[job].data());
}

WorkList read_work(RowReader& reader, const std::vector<std::string>& statuses) {
  WorkList work;
  NameLines lines;
  Row row;
  Layout layout;
  std::string record;
  if (!reader.is_json()) layout = layout_of(reader);
  while (reader.next(row)) {
    if (layout.columns != reader.columns().size()) layout = layout_of(reader);
    const auto& op = RowReader::field(row, layout.op);
    if (op.empty()) throw reader.error_at(row, layout.op, "expected a name, got an empty field");
    const auto name = work.text.keep(op);
    if (const auto first = lines.add(name, row.line))
      throw reader.error_at(
          row, layout.op,
          "operator " + in_quotes(op) + " appears twice (line " + std::to_string(*first) + ")");
    const auto& status = RowReader::field(row, layout.status);
    if (layout.status && std::find(statuses.begin(), statuses.end(), status) == statuses.end()) {
      ++work.left_out[status];
      continue;
    }
    work.jobs.push_back({name, weight_of(reader, row, layout)});
    keep_fields(work, row, layout, record);
  }
  for (const auto column : layout.passthrough)
    work.passthrough.push_back(typed_column(reader.columns()[column]));
  return work;
}

}  // namespace zl::campaign
