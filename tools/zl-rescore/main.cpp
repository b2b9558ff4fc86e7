// zl-rescore: judge every operator of a root again, from the artifacts alone.

#include "base/error.hpp"
#include "cli/rescore_root.hpp"
#include "help_text.hpp"

namespace {

int body(zl::cli::Context& context) {
  if (context.operands.size() != 1) throw zl::usage_error("expected ROOT");
  return zl::cli::rescore_root(context, context.operands[0]);
}

}  // namespace

int main(int argc, char** argv) {
  return zl::cli::run_tool(zl::rescore_tool::spec(), argc, argv, body);
}
