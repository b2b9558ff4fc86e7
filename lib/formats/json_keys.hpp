#pragma once
// Keys that stand twice in a JSON object. Boost.JSON keeps the last and says nothing; which of two
// figures was meant is not ours to guess.

#include <boost/json/fwd.hpp>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace zl::formats {

struct RepeatedKey {
  std::string key;
  std::size_t offset = 0;  ///< of its second occurrence, in bytes
};

/// The first key that an object of the document, at any depth, holds a second time. `text` is a
/// valid document and `value` what Boost.JSON made of it.
std::optional<RepeatedKey> repeated_key(std::string_view text, const boost::json::value& value);

}  // namespace zl::formats
