#pragma once
// What zl-irfp can be asked, one function a question; each returns the exit status.

#include "cli/run_tool.hpp"
#include "ir/tree.hpp"

namespace zl::irfp {

/// Names from trees as row fields: what is not UTF-8 is shown as \xNN.
std::string shown(const std::string& name);
ir::ReadOptions read_options(const cli::Context& context, unsigned threads);

int compare(cli::Context& context, const ir::Criterion& criterion);
int judge_pairs(cli::Context& context, const ir::Criterion& criterion);

}  // namespace zl::irfp
