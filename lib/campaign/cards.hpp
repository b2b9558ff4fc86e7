#pragma once
// The devices that a plan is made for: named, numbered, or read from rows of devices.tsv.

#include <string_view>
#include <vector>

#include "campaign/partition.hpp"
#include "formats/rows.hpp"

namespace zl::campaign {

/// `0,1,2,3`: cards of one model. Throws Error(usage) for an empty name and a repeated one.
std::vector<Card> named_cards(std::string_view list);
/// 0 … count − 1: cards of one model.
std::vector<Card> numbered_cards(std::size_t count);

/// Rows with a column `index`, and as far as there are: `host`, `name` (the model), `visible`.
/// Without `all`, rows that are known not to be visible are left out. Throws Error(input) with the
/// position of: a missing column, an empty index, a device that appears twice on a host, `visible`
/// that is neither yes nor no; and where no device is left.
std::vector<Card> read_cards(formats::RowReader& reader, const std::string& name, bool all);

}  // namespace zl::campaign
