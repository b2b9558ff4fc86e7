#include "formats/json_reader.hpp"

#include <boost/json/basic_parser_impl.hpp>
#include <boost/json/value_stack.hpp>
#include <charconv>
#include <string>

namespace zl::formats {

namespace {

namespace json = boost::json;
using Text = json::string_view;

/// Builds the value as the parser finds its parts; what it is called is the parser's choice.
struct Builder {
  static constexpr std::size_t max_object_size = std::size_t(-1), max_array_size = std::size_t(-1),
                               max_key_size = std::size_t(-1), max_string_size = std::size_t(-1);

  bool on_document_begin(json::error_code&) {
    stack.reset();
    return true;
  }
  bool on_document_end(json::error_code&) { return true; }
  bool on_object_begin(json::error_code&) { return true; }
  bool on_object_end(std::size_t size, json::error_code&) {
    stack.push_object(size);
    return true;
  }
  bool on_array_begin(json::error_code&) { return true; }
  bool on_array_end(std::size_t size, json::error_code&) {
    stack.push_array(size);
    return true;
  }
  bool on_key_part(Text part, std::size_t, json::error_code&) {
    stack.push_chars(part);
    return true;
  }
  bool on_key(Text part, std::size_t, json::error_code&) {
    stack.push_key(part);
    return true;
  }
  bool on_string_part(Text part, std::size_t, json::error_code&) {
    stack.push_chars(part);
    return true;
  }
  bool on_string(Text part, std::size_t, json::error_code&) {
    stack.push_string(part);
    return true;
  }
  bool on_number_part(Text part, json::error_code&) {
    number.append(part.data(), part.size());
    return true;
  }
  bool on_int64(std::int64_t value, Text, json::error_code&) {
    number.clear();
    stack.push_int64(value);
    return true;
  }
  bool on_uint64(std::uint64_t value, Text, json::error_code&) {
    number.clear();
    stack.push_uint64(value);
    return true;
  }
  bool on_double(double value, Text part, json::error_code&) {
    number.append(part.data(), part.size());
    // Out of range, from_chars leaves the parser's own value: infinite, or 0.
    std::from_chars(number.data(), number.data() + number.size(), value);
    number.clear();
    stack.push_double(value);
    return true;
  }
  bool on_bool(bool value, json::error_code&) {
    stack.push_bool(value);
    return true;
  }
  bool on_null(json::error_code&) {
    stack.push_null();
    return true;
  }
  bool on_comment_part(Text, json::error_code&) { return true; }
  bool on_comment(Text, json::error_code&) { return true; }

  json::value_stack stack;
  std::string number;  ///< what has come of a number
};

}  // namespace

json::value read_json(std::string_view text, std::size_t& used, json::error_code& ec) {
  json::basic_parser<Builder> parser{json::parse_options{}};
  used = parser.write_some(true, text.data(), text.size(), ec);
  // A number ends with the text only.
  if (!ec && !parser.done()) parser.write_some(false, nullptr, 0, ec);
  if (ec) return nullptr;
  return parser.handler().stack.release();
}

}  // namespace zl::formats
