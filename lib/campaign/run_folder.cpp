#include "campaign/run_folder.hpp"

#include <algorithm>
#include <cstdio>
#include <tuple>

#include "base/error.hpp"
#include "base/files.hpp"
#include "base/number.hpp"
#include "base/text.hpp"

namespace zl::campaign {

namespace fs = std::filesystem;

const char* side_name(Side side) {
  return side == Side::before ? "before" : "after";
}

bool operator==(const Cell& a, const Cell& b) {
  return a.round == b.round && a.side == b.side && a.op == b.op;
}

std::string operator_component(std::string_view op) {
  auto component = path_component(op);
  // The root's own files keep their names: an operator called like one gives way.
  for (const char* taken : {campaign_file, ops_status_file, screen_file, plan_file})
    if (component.starts_with(taken)) {
      char code[4];
      std::snprintf(code, sizeof code, "%%%02X", static_cast<unsigned>(component.front()));
      return code + component.substr(1);
    }
  return component;
}

fs::path cell_folder(const fs::path& root, const Cell& cell) {
  return root / operator_component(cell.op) / ("r" + std::to_string(cell.round)) /
         side_name(cell.side);
}

namespace {

std::vector<fs::path> folders_in(const fs::path& folder, bool must_read) {
  std::vector<fs::path> found;
  std::error_code ec;
  for (fs::directory_iterator entry(folder, ec), end; !ec && entry != end; entry.increment(ec)) {
    std::error_code ignored;
    if (entry->is_directory(ignored)) found.push_back(entry->path());
  }
  if (ec && must_read)
    throw environment_error("cannot read folder " + in_quotes(folder.native()) + ": " +
                            ec.message());
  return found;
}

}  // namespace

std::vector<CellFolder> list_cells(const fs::path& root, bool with_warm_up) {
  std::vector<CellFolder> cells;
  for (const auto& op : folders_in(root, true)) {
    for (const auto& round : folders_in(op, false)) {
      const auto name = round.filename().native();
      const auto number =
          name.starts_with("r") ? parse_unsigned(std::string_view(name).substr(1)) : std::nullopt;
      if (!number || *number > 1'000'000 || (*number == 0 && !with_warm_up)) continue;
      for (const Side side : {Side::before, Side::after}) {
        std::error_code ec;
        const auto path = round / side_name(side);
        if (!fs::is_directory(path, ec)) continue;
        cells.push_back(
            {{name_from_component(op.filename().native()), static_cast<unsigned>(*number), side},
             path});
      }
    }
  }
  std::sort(cells.begin(), cells.end(), [](const CellFolder& a, const CellFolder& b) {
    return std::tie(a.cell.op, a.cell.round, a.cell.side) <
           std::tie(b.cell.op, b.cell.round, b.cell.side);
  });
  return cells;
}

}  // namespace zl::campaign
