#include "backends/json_fields.hpp"

#include <algorithm>
#include <boost/json.hpp>

#include "backends/vendor_tool.hpp"
#include "base/error.hpp"
#include "base/text.hpp"
#include "formats/json.hpp"

namespace zl::backends {

namespace json = boost::json;

const json::value* member(const json::value* value, std::initializer_list<std::string_view> names) {
  if (value == nullptr || !value->is_object()) return nullptr;
  for (const auto name : names)
    for (const auto& entry : value->get_object())
      if (equal_ignoring_case(trim(std::string_view(entry.key())), name)) return &entry.value();
  return nullptr;
}

std::string text_of(const json::value* value) {
  if (value == nullptr || value->is_null() || value->is_array()) return {};
  if (value->is_object()) {
    const auto* number = member(value, {"value"});
    if (number == nullptr || number->is_object()) return {};
    return text_of(number) + text_of(member(value, {"unit"}));
  }
  return std::string(trim(formats::scalar_text(*value)));
}

std::optional<double> quantity_of(const json::value* value,
                                  std::initializer_list<std::string_view> names, Unit unit) {
  for (const auto name : names)
    if (const auto found = quantity(text_of(member(value, {name})), unit)) return found;
  return std::nullopt;
}

json::value parse_answer(const std::string& tool, const process::Outcome& outcome) {
  const auto text = json_part(outcome.out);
  if (text.empty()) throw environment_error(tool + " printed no JSON; " + complaint(outcome));
  json::stream_parser parser;
  json::error_code ec;
  const auto used = parser.write_some(text.data(), text.size(), ec);
  if (!ec && !parser.done()) parser.finish(ec);
  if (ec)
    throw environment_error(tool + " printed broken JSON (" + ec.message() + " at byte " +
                            std::to_string(used + 1) + " of it)" + status_text(outcome));
  return parser.release();
}

void arrange(std::span<const Device> devices, const std::string& tool, SampleSet& set) {
  if (devices.empty()) return;
  std::vector<Sample> ordered;
  for (const auto& device : devices) {
    const auto found =
        std::find_if(set.samples.begin(), set.samples.end(),
                     [&](const Sample& sample) { return sample.index == device.index; });
    if (found != set.samples.end())
      ordered.push_back(*found);
    else
      set.warnings.push_back(tool + ": no reading of device " + device.index);
  }
  set.samples = std::move(ordered);
}

}  // namespace zl::backends
