// zl-irfp: did the switch change generated code at all?

#include "base/error.hpp"
#include "base/parallel.hpp"
#include "base/text.hpp"
#include "cli/criterion_options.hpp"
#include "cli/exit_status.hpp"
#include "help_text.hpp"
#include "modes.hpp"

namespace zl::irfp {

std::string shown(const std::string& name) {
  return is_utf8(name) ? name : printable(name);
}

ir::ReadOptions read_options(const cli::Context& context, unsigned threads) {
  ir::ReadOptions options;
  options.threads = threads;
  options.stop = context.stop;
  return options;
}

namespace {

std::vector<formats::Column> list_columns(bool per_kernel) {
  using enum formats::ColumnType;
  if (per_kernel)
    return {{"name", text}, {"digest", text}, {"cvt", number}, {"bytes", number}, {"path", text}};
  return {{"fingerprint", text}, {"files", number}, {"cvt", number}, {"path", text}};
}

std::size_t list_kernels(formats::RowWriter& writer, const ir::Tree& tree) {
  for (const auto& kernel : tree.kernels)
    writer.write({shown(ir::kernel_name(kernel.path)), kernel.facts.digest.hex(),
                  std::to_string(kernel.facts.conversions), std::to_string(kernel.facts.bytes),
                  shown(tree.path_of(kernel))});
  return tree.kernels.size();
}

std::size_t list_tree(formats::RowWriter& writer, const std::string& place,
                      const ir::TreeSummary& tree) {
  writer.write({tree.fingerprint, std::to_string(tree.kernels), std::to_string(tree.conversions),
                shown(place)});
  return tree.kernels;
}

/// A row a tree, or a row a kernel. What cannot be read is said, and the others still come.
int list(cli::Context& context, const ir::Criterion& criterion) {
  if (context.operands.empty()) throw usage_error("expected at least one DIR");
  const bool per_kernel = context.has("per-kernel");
  formats::RowWriter writer(context.out, list_columns(per_kernel), context.row_format());
  int status = cli::exit_done;
  for (const auto& place : context.operands) {
    try {
      const auto options = read_options(context, default_threads());
      const auto kernels =
          per_kernel ? list_kernels(writer, ir::read_tree(place, criterion, options))
                     : list_tree(writer, place, ir::summarise_tree(place, criterion, options));
      if (kernels == 0) {
        context.say(in_quotes(place) + " holds no kernel");
        status = cli::exit_bad_input;
      }
    } catch (const Error& error) {
      if (context.stop.requested()) throw;
      context.say(error.what());
      status = cli::exit_status(error.kind());
    }
  }
  return status;
}

int body(cli::Context& context) {
  if (context.has("compare") + context.has("pairs") + context.has("per-kernel") > 1)
    throw usage_error("--compare, --pairs and --per-kernel exclude each other");
  if (context.has("diff") && !context.has("compare")) throw usage_error("--diff needs --compare");
  const auto criterion = cli::criterion_from(context);
  try {
    if (context.has("compare")) return compare(context, criterion);
    if (context.has("pairs")) return judge_pairs(context, criterion);
    return list(context, criterion);
  } catch (const Error&) {
    if (context.stop.requested()) return cli::exit_done;  // the frame makes it 128 + signal
    throw;
  }
}

}  // namespace

}  // namespace zl::irfp

int main(int argc, char** argv) {
  return zl::cli::run_tool(zl::irfp::spec(), argc, argv, zl::irfp::body);
}
