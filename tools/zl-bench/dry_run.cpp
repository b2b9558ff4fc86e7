#include "dry_run.hpp"

#include "campaign/cell_runner.hpp"

namespace zl::bench {

namespace {

void print_cell(formats::RowWriter& writer, const campaign::CellRequest& request,
                const process::Command& command) {
  const auto row = [&](const std::string& part, const std::string& value) {
    writer.write({request.device.index, request.cell.op, std::to_string(request.cell.round),
                  campaign::side_name(request.cell.side), part, value});
  };
  for (const auto& [name, value] : command.environment)
    row((value ? "env:" : "unset:") + name, value.value_or(""));
  for (std::size_t i = 0; i < command.argv.size(); ++i)
    row("arg" + std::to_string(i), command.argv[i]);
}

}  // namespace

void print_dry_run(const Asked& asked, cli::Context& context) {
  auto columns = formats::text_columns({"device", "op", "round", "side", "part", "value"});
  columns[2].type = formats::ColumnType::number;
  formats::RowWriter writer(context.out, std::move(columns), context.row_format());
  for (const auto& device : asked.options.devices) {
    for (const auto& row : asked.options.plan) {
      if (row.device != device.index) continue;
      const auto firsts = campaign::first_sides(
          asked.options.order, row.op, campaign::total_rounds(asked.options.plan).at(row.op));
      for (unsigned round = row.first_round; round < row.first_round + row.rounds; ++round) {
        for (int i = 0; i < 2; ++i) {
          const bool after = (firsts.at(round - 1) == campaign::Side::after) == (i == 0);
          const campaign::Cell cell{row.op, round,
                                    after ? campaign::Side::after : campaign::Side::before};
          const auto request = campaign::cell_request(
              asked.options, row, cell, device, campaign::cell_folder(asked.options.root, cell));
          print_cell(writer, request, asked.provider->prepare(request).command);
        }
      }
    }
  }
}

}  // namespace zl::bench
