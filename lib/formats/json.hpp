#pragma once
// JSON beside Boost.JSON: errors with positions, members read through a pointer that messages
// name, and a printer whose numbers people can read (Boost 1.81 prints 3.0 as 3E0).

#include <boost/json/fwd.hpp>
#include <optional>
#include <string>
#include <string_view>

namespace zl::formats {

/// Parses one document. Throws Error(input) with `name`, line and column of the first wrong byte,
/// or of a key that its object already holds; `first_line` is the line number on which `text`
/// begins.
boost::json::value parse_json(std::string_view text, const std::string& name,
                              std::size_t first_line = 1);

/// As above, for text that may be no JSON: nothing where it is not one document.
std::optional<boost::json::value> try_parse_json(std::string_view text);

/// Text of a scalar as a row field: strings as they are, numbers shortest, true/false, null as
/// ""; arrays and objects as compact JSON.
std::string scalar_text(const boost::json::value& value);

/// Compact (one line) or indented by two blanks with a last newline. NaN and infinities are null.
std::string print_json(const boost::json::value& value, bool pretty = false);

void append_json_string(std::string& out, std::string_view text);

/// A place inside a document: the value and the pointer that leads there.
class JsonView {
 public:
  JsonView(const boost::json::value& value, std::string name, std::string pointer = "");

  /// A member; Error(input) `name: /pointer: missing` where it is not there.
  JsonView at(std::string_view key) const;
  /// A member that may be absent (also when this is no object, or the member is null).
  std::optional<JsonView> find(std::string_view key) const;
  std::size_t size() const;               ///< elements of an array; Error(input) for others
  JsonView element(std::size_t i) const;  ///< i-th of an array

  std::string text() const;   ///< a string; Error(input) otherwise
  double number() const;      ///< a finite number; Error(input) otherwise
  bool boolean() const;       ///< Error(input) otherwise
  std::string field() const;  ///< scalar_text of whatever stands here
  bool is_object() const;
  bool is_array() const;
  const boost::json::value& value() const { return *value_; }
  const std::string& pointer() const { return pointer_; }
  /// An Error(input) at this place.
  [[noreturn]] void fail(const std::string& message) const;

 private:
  const boost::json::value* value_;
  std::string name_;
  std::string pointer_;
};

}  // namespace zl::formats
