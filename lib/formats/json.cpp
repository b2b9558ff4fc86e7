#include "formats/json.hpp"

#include <algorithm>
#include <boost/json.hpp>
#include <cmath>

#include "base/error.hpp"
#include "base/number.hpp"
#include "base/text.hpp"
#include "formats/json_keys.hpp"
#include "formats/json_reader.hpp"

namespace zl::formats {

namespace json = boost::json;

namespace {

Position position_of(std::string_view text, std::size_t offset, const std::string& name,
                     std::size_t first_line) {
  const auto before = text.substr(0, std::min(offset, text.size()));
  const auto newline = before.rfind('\n');
  const auto line =
      first_line + static_cast<std::size_t>(std::count(before.begin(), before.end(), '\n'));
  const auto column =
      newline == std::string_view::npos ? before.size() : before.size() - newline - 1;
  return {name, line, column + 1};
}

}  // namespace

json::value parse_json(std::string_view text, const std::string& name, std::size_t first_line) {
  json::error_code ec;
  std::size_t used = 0;
  auto value = read_json(text, used, ec);
  if (!ec && used < text.size() && !trim(text.substr(used)).empty()) {
    const auto rest = text.find_first_not_of(" \t\r\n", used);
    throw input_error(position_of(text, rest, name, first_line),
                      "more text after the JSON document");
  }
  if (ec) throw input_error(position_of(text, used, name, first_line), "JSON: " + ec.message());
  if (const auto twice = repeated_key(text.substr(0, used), value))
    throw input_error(position_of(text, twice->offset, name, first_line),
                      "JSON: key " + in_quotes(twice->key) + " appears twice in one object");
  return value;
}

std::optional<json::value> try_parse_json(std::string_view text) {
  json::error_code ec;
  std::size_t used = 0;
  auto value = read_json(text, used, ec);
  if (ec || !trim(text.substr(used)).empty()) return std::nullopt;
  return value;
}

void append_json_string(std::string& out, std::string_view text) {
  constexpr std::string_view digits = "0123456789abcdef";
  out += '"';
  // Bytes that are not UTF-8 cannot stand in JSON; printable() shows them as \xNN.
  const std::string safe = is_utf8(text) ? std::string() : printable(text);
  for (const char c : safe.empty() ? text : std::string_view(safe)) {
    const auto byte = static_cast<unsigned char>(c);
    switch (c) {
      case '"':
        out += "\\\"";
        break;
      case '\\':
        out += "\\\\";
        break;
      case '\n':
        out += "\\n";
        break;
      case '\r':
        out += "\\r";
        break;
      case '\t':
        out += "\\t";
        break;
      default:
        if (byte < 0x20) {
          out += "\\u00";
          out += digits[byte >> 4U];
          out += digits[byte & 0xFU];
        } else {
          out += c;
        }
    }
  }
  out += '"';
}

namespace {

class Printer {
 public:
  explicit Printer(bool pretty) : pretty_(pretty) {}

  void print(const json::value& value, int depth) {
    switch (value.kind()) {
      case json::kind::null:
        out += "null";
        break;
      case json::kind::bool_:
        out += value.get_bool() ? "true" : "false";
        break;
      case json::kind::int64:
        out += std::to_string(value.get_int64());
        break;
      case json::kind::uint64:
        out += std::to_string(value.get_uint64());
        break;
      case json::kind::double_: {
        const auto text = format_number(value.get_double());
        out += text.empty() ? "null" : text;
        break;
      }
      case json::kind::string: {
        const auto& text = value.get_string();
        append_json_string(out, {text.data(), text.size()});
        break;
      }
      case json::kind::array:
        print_array(value.get_array(), depth);
        break;
      case json::kind::object:
        print_object(value.get_object(), depth);
        break;
    }
  }

  std::string out;

 private:
  void line(int depth) {
    if (!pretty_) return;
    out += '\n';
    out.append(static_cast<std::size_t>(depth) * 2, ' ');
  }

  void print_array(const json::array& array, int depth) {
    out += '[';
    for (std::size_t i = 0; i < array.size(); ++i) {
      if (i != 0) out += ',';
      line(depth + 1);
      print(array[i], depth + 1);
    }
    if (!array.empty()) line(depth);
    out += ']';
  }

  void print_object(const json::object& object, int depth) {
    out += '{';
    bool first = true;
    for (const auto& member : object) {
      if (!first) out += ',';
      first = false;
      line(depth + 1);
      append_json_string(out, {member.key().data(), member.key().size()});
      out += pretty_ ? ": " : ":";
      print(member.value(), depth + 1);
    }
    if (!object.empty()) line(depth);
    out += '}';
  }

  bool pretty_;
};

}  // namespace

std::string print_json(const json::value& value, bool pretty) {
  Printer printer(pretty);
  printer.print(value, 0);
  if (pretty) printer.out += '\n';
  return std::move(printer.out);
}

std::string scalar_text(const json::value& value) {
  if (value.is_null()) return {};
  if (value.is_string()) return {value.get_string().data(), value.get_string().size()};
  return print_json(value);
}

JsonView::JsonView(const json::value& value, std::string name, std::string pointer)
    : value_(&value), name_(std::move(name)), pointer_(std::move(pointer)) {}

void JsonView::fail(const std::string& message) const {
  throw input_error({name_}, (pointer_.empty() ? "/" : printable(pointer_)) + ": " + message);
}

std::optional<JsonView> JsonView::find(std::string_view key) const {
  const auto* object = value_->if_object();
  if (object == nullptr) return std::nullopt;
  const auto* member = object->if_contains(json::string_view(key.data(), key.size()));
  if (member == nullptr || member->is_null()) return std::nullopt;
  return JsonView(*member, name_, pointer_ + "/" + std::string(key));
}

JsonView JsonView::at(std::string_view key) const {
  if (!value_->is_object()) fail("expected an object");
  if (auto member = find(key)) return *member;
  JsonView(*value_, name_, pointer_ + "/" + std::string(key)).fail("missing");
}

std::size_t JsonView::size() const {
  if (!value_->is_array()) fail("expected an array");
  return value_->get_array().size();
}

JsonView JsonView::element(std::size_t i) const {
  if (i >= size()) fail("expected at least " + std::to_string(i + 1) + " elements");
  return {value_->get_array()[i], name_, pointer_ + "/" + std::to_string(i)};
}

std::string JsonView::text() const {
  if (!value_->is_string()) fail("expected a string, got " + print_json(*value_));
  return scalar_text(*value_);
}

double JsonView::number() const {
  double number = NAN;
  if (value_->is_double()) number = value_->get_double();
  if (value_->is_int64()) number = static_cast<double>(value_->get_int64());
  if (value_->is_uint64()) number = static_cast<double>(value_->get_uint64());
  if (!std::isfinite(number)) fail("expected a number, got " + print_json(*value_));
  return number;
}

bool JsonView::boolean() const {
  if (!value_->is_bool()) fail("expected true or false, got " + print_json(*value_));
  return value_->get_bool();
}

std::string JsonView::field() const {
  return scalar_text(*value_);
}
bool JsonView::is_object() const {
  return value_->is_object();
}
bool JsonView::is_array() const {
  return value_->is_array();
}

}  // namespace zl::formats
