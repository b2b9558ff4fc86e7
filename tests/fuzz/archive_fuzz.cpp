// A tree in a tar: the same as itself, and each kernel's text is what its digest is of.

#include "fuzz.hpp"
#include "ir/compare.hpp"
#include "ir/kernel_reader.hpp"

using namespace zl;
using fuzz::require;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const fuzz::File file(fuzz::text_of(data, size));
  fuzz::input_errors_only([&] {
    const auto tree = ir::read_tree(file.path(), {});
    const auto comparison = ir::compare_trees(tree, tree);
    require(comparison.differences.empty() && comparison.same == tree.kernels.size(),
            "a tree is the same as itself");
    require(ir::judge(tree, tree, comparison).answer != ir::Answer::different,
            "a tree does not differ from itself");
    require(ir::summarise_tree(file.path(), {}).fingerprint == tree.fingerprint(),
            "a summary has the tree's fingerprint");
    constexpr std::size_t enough = 4;  // each text is another pass over the tar
    for (std::size_t i = 0; i < std::min(enough, tree.kernels.size()); ++i) {
      const auto& kernel = tree.kernels[i];
      const auto text = fuzz::without_error([&] { return ir::canonical_text(tree, kernel); });
      ir::Hasher hasher(tree.criterion.seed());
      hasher.add(text);
      require(hasher.digest() == kernel.facts.digest, "a kernel's text has its digest");
    }
  });
  return 0;
}
