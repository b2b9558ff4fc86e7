#pragma once
// Which side of a round runs first. A fixed order lets drift (a warming card) pass for an effect
// of the switch; a balanced one cancels it.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "campaign/run_folder.hpp"

namespace zl::campaign {

struct Order {
  enum class Kind {
    balanced,  ///< half the rounds start with each side, in an order drawn from the seed
    abba,      ///< before first in odd rounds, after first in even ones
    ab,        ///< before first, always
  };
  Kind kind = Kind::balanced;
  std::uint64_t seed = 0;
};

/// `balanced`, `balanced:SEED`, `abba`, `ab`; `fresh_seed` serves where none is named. Throws
/// Error(usage).
Order parse_order(std::string_view text, std::uint64_t fresh_seed);
/// The inverse, seed included.
std::string print_order(const Order& order);

/// The side that runs first in rounds 1..rounds of an operator. Balanced: each side starts half
/// of the rounds, the seed decides who has one more when their number is odd. The same seed and
/// operator give the same order on every machine.
std::vector<Side> first_sides(const Order& order, std::string_view op, unsigned rounds);

}  // namespace zl::campaign
