#include "cli/criterion_options.hpp"

namespace zl::cli {

OptionGroup criterion_options() {
  return {"What counts as code (recorded as the criterion)",
          {{"kernel", "GLOB", "only kernels whose name matches", true},
           {"ignore-kernel", "GLOB", "not these", true},
           {"ext", "EXT", "files with this extension, instead of ttgir", true},
           {"strip-attribute", "PREFIX", "attributes to leave out, instead of ttg.rlc-", true}}};
}

ir::Criterion criterion_from(const Context& context) {
  ir::Criterion criterion;
  criterion.kernels = context.values("kernel");
  criterion.ignored = context.values("ignore-kernel");
  if (context.has("ext")) {
    criterion.extensions = context.values("ext");
    for (auto& extension : criterion.extensions)
      if (extension.starts_with('.')) extension.erase(0, 1);
  }
  if (context.has("strip-attribute")) criterion.strip = context.values("strip-attribute");
  ir::check(criterion);
  return criterion;
}

}  // namespace zl::cli
