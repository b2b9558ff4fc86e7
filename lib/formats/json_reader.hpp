#pragma once
// Boost.JSON's grammar with numbers as exact as std::from_chars: its own conversion (1.81) misses
// the nearest double in 8 of 100 numbers of full precision, so that a figure would change on its
// way through JSON Lines. Inside the formats room only; others call parse_json or try_parse_json.

#include <boost/json/error.hpp>
#include <boost/json/value.hpp>
#include <cstddef>
#include <string_view>

namespace zl::formats {

/// The first document in `text`; `used` is how many bytes it takes, or where the wrong one stands.
/// Null, and `ec` set, where there is none.
boost::json::value read_json(std::string_view text, std::size_t& used, boost::json::error_code& ec);

}  // namespace zl::formats
