#include "formats/record_json.hpp"

#include <boost/json.hpp>

#include "formats/json.hpp"

namespace zl::formats {

namespace json = boost::json;

namespace {

/// As Python prints it, lists with a blank after each comma: [[64, 64], 1]
void append_size(std::string& out, const json::value& value) {
  if (value.is_array()) {
    out += '[';
    for (const auto& element : value.get_array()) {
      if (out.back() != '[') out += ", ";
      append_size(out, element);
    }
    out += ']';
  } else if (value.is_object()) {
    out += '{';
    for (const auto& member : value.get_object()) {
      if (out.back() != '{') out += ", ";
      append_json_string(out, {member.key().data(), member.key().size()});
      out += ": ";
      append_size(out, member.value());
    }
    out += '}';
  } else {
    out += print_json(value);
  }
}

const json::value* member(const json::object& object, const char* key) {
  const auto* value = object.if_contains(key);
  return value != nullptr && !value->is_null() ? value : nullptr;
}

std::string text_member(const json::object& object, const char* key) {
  const auto* value = member(object, key);
  return value != nullptr ? scalar_text(*value) : std::string();
}

std::optional<double> number_member(const json::object& object, const char* key) {
  const auto* value = member(object, key);
  if (value == nullptr || !value->is_number()) return std::nullopt;
  return value->to_number<double>();
}

MeasuredRow row_of(const json::object& result, const std::string& op, const std::string& dtype) {
  MeasuredRow row;
  row.op = op;
  row.dtype = dtype;
  const auto* size = member(result, "shape_detail");
  if (size == nullptr) size = member(result, "legacy_shape");
  if (size != nullptr) append_size(row.size, *size);
  row.latency_ms = number_member(result, "latency");
  row.base_ms = number_member(result, "latency_base");
  if (member(result, "error_msg") != nullptr) row.status = "FAILED";
  return row;
}

/// Some benchmarks put a record into the report as a string that holds JSON.
void append_detail(const json::value& detail, Diagnostics& diagnostics,
                   std::vector<MeasuredRow>& rows) {
  if (is_record(detail)) return append_record(detail, 0, diagnostics, rows);
  if (detail.is_string()) {
    const auto text = json_from_python({detail.get_string().data(), detail.get_string().size()});
    const auto inner = try_parse_json(text);
    if (inner && is_record(*inner)) return append_record(*inner, 0, diagnostics, rows);
  }
  diagnostics.drop("no record", 0, print_json(detail));
}

}  // namespace

bool is_record(const json::value& value) {
  return value.is_object() && value.get_object().contains("op_name") &&
         value.get_object().contains("result");
}

void append_record(const json::value& record, std::size_t line, Diagnostics& diagnostics,
                   std::vector<MeasuredRow>& rows) {
  const auto& object = record.get_object();
  const auto op = text_member(object, "op_name");
  const auto dtype = text_member(object, "dtype");
  if (const auto mode = text_member(object, "mode"); !mode.empty()) diagnostics.modes.insert(mode);
  if (const auto level = text_member(object, "level"); !level.empty())
    diagnostics.levels.insert(level);
  const auto& results = object.at("result");
  if (op.empty() || !results.is_array())
    return diagnostics.drop("no record", line, print_json(record));
  for (const auto& result : results.get_array()) {
    if (result.is_object())
      rows.push_back(row_of(result.get_object(), op, dtype));
    else
      diagnostics.drop("no record", line, print_json(result));
  }
}

void append_report(const json::value& report, Diagnostics& diagnostics,
                   std::vector<MeasuredRow>& rows) {
  for (const auto& entry : report.get_object()) {
    const std::string op(entry.key().data(), entry.key().size());
    if (!entry.value().is_object()) {
      diagnostics.drop("no report of an operator", 0, op);
      continue;
    }
    const auto& object = entry.value().get_object();
    if (const auto* details = member(object, "details")) {
      if (details->is_array())
        for (const auto& detail : details->get_array()) append_detail(detail, diagnostics, rows);
      else
        append_detail(*details, diagnostics, rows);
    }
    const auto result = text_member(object, "result");
    if (!result.empty() && result != "passed") {
      const auto reason = text_member(object, "reason");
      diagnostics.failures[op] = result + (reason.empty() ? "" : ": " + reason);
    }
  }
}

std::string json_from_python(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  bool in_string = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    std::size_t length = 0;
    if (c == '"') {
      in_string = !in_string;
    } else if (in_string && c == '\\' && i + 1 < text.size()) {
      out += c;
      out += text[++i];
      continue;
    } else if (!in_string && (c == 'N' || c == 'I' || c == '-')) {
      for (const std::string_view word : {"NaN", "Infinity", "-Infinity"})
        if (text.substr(i).starts_with(word)) length = word.size();
    }
    if (length == 0) {
      out += c;
      continue;
    }
    if (length == 3 && out.ends_with(' ')) out.pop_back();
    out += "null";
    if (length > 4) out.append(length - 4, ' ');
    i += length - 1;
  }
  return out;
}

}  // namespace zl::formats
