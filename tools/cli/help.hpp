#pragma once
// Texts made from a tool's Spec: --help, and the option table that the build turns into
// completions.

#include <string>

#include "cli/run_tool.hpp"

namespace zl::cli {

/// At most 80 columns wide.
std::string help_text(const Spec& spec, const OptionGroup& common);

/// Rows `group option letter argument repeatable help values`, TSV without a header, and one with
/// the operands' name alone; printed by the undocumented --zl-option-table, for man_page and
/// completions beside this file.
std::string option_table(const Spec& spec, const OptionGroup& common);

}  // namespace zl::cli
