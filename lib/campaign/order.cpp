#include "campaign/order.hpp"

#include <random>

#include "base/error.hpp"
#include "base/number.hpp"
#include "base/text.hpp"
#include "campaign/partition.hpp"

namespace zl::campaign {

Order parse_order(std::string_view text, std::uint64_t fresh_seed) {
  if (text == "abba") return {Order::Kind::abba, 0};
  if (text == "ab") return {Order::Kind::ab, 0};
  if (text == "balanced") return {Order::Kind::balanced, fresh_seed};
  constexpr std::string_view prefix = "balanced:";
  if (text.starts_with(prefix))
    if (const auto seed = parse_unsigned(text.substr(prefix.size())))
      return {Order::Kind::balanced, *seed};
  throw usage_error("--order: expected balanced[:SEED], abba or ab, got " + in_quotes(text));
}

std::string print_order(const Order& order) {
  switch (order.kind) {
    case Order::Kind::abba:
      return "abba";
    case Order::Kind::ab:
      return "ab";
    case Order::Kind::balanced:
      break;
  }
  return "balanced:" + std::to_string(order.seed);
}

std::vector<Side> first_sides(const Order& order, std::string_view op, unsigned rounds) {
  std::vector<Side> sides(rounds, Side::before);
  if (order.kind == Order::Kind::ab) return sides;
  for (unsigned i = 1; i < rounds; i += 2) sides[i] = Side::after;
  if (order.kind == Order::Kind::abba) return sides;
  std::mt19937_64 random(order.seed ^ name_hash(op));
  if (rounds % 2 == 1 && random() % 2 == 1) sides.back() = Side::after;
  // Fisher and Yates by hand: std::shuffle may differ between libraries. The bias of the
  // remainder is below 2^-40 for any number of rounds met here.
  for (std::size_t i = sides.size(); i > 1; --i) std::swap(sides[i - 1], sides[random() % i]);
  return sides;
}

}  // namespace zl::campaign
