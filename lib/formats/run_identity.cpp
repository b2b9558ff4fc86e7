#include "formats/run_identity.hpp"

#include <boost/json.hpp>

#include "base/files.hpp"
#include "base/number.hpp"
#include "formats/json.hpp"

namespace zl::formats {

namespace json = boost::json;

namespace {

/// A member as text; numbers are taken too, since hand-written files hold them.
std::string text_of(const JsonView& view, const char* key) {
  const auto member = view.find(key);
  if (!member) return {};
  if (member->is_object() || member->is_array()) member->fail("expected a string");
  return member->field();
}

template <typename Integer>
std::optional<Integer> whole_number_of(const JsonView& view, const char* key) {
  const auto member = view.find(key);
  if (!member) return std::nullopt;
  // "3" in quotes is a number that an environment variable once was.
  const auto value = member->value().is_string() ? parse_double(member->text()) : member->number();
  const auto whole = value ? as_whole<Integer>(*value) : std::nullopt;
  if (!whole)
    member->fail("expected a whole number from " +
                 std::to_string(std::numeric_limits<Integer>::min()) + " to " +
                 std::to_string(std::numeric_limits<Integer>::max()));
  return whole;
}

std::map<std::string, std::string> texts_of(const JsonView& view, const char* key) {
  std::map<std::string, std::string> texts;
  const auto member = view.find(key);
  if (!member) return texts;
  if (!member->is_object()) member->fail("expected an object");
  for (const auto& entry : member->value().get_object())
    texts[std::string(entry.key())] = scalar_text(entry.value());
  return texts;
}

json::object object_of(const std::map<std::string, std::string>& texts) {
  json::object object;
  for (const auto& [name, value] : texts) object[name] = value;
  return object;
}

json::value text_or_null(const std::string& text) {
  return text.empty() ? json::value(nullptr) : json::value(text);
}

}  // namespace

RunIdentity parse_run_identity(std::string_view text, const std::string& name) {
  const auto document = parse_json(text, name);
  const JsonView view(document, name);
  if (!view.is_object()) view.fail("expected an object");
  RunIdentity identity;
  identity.schema = whole_number_of<int>(view, "schema").value_or(1);
  identity.tool_version = text_of(view, "tool_version");
  identity.op = text_of(view, "op");
  identity.test_node = text_of(view, "test_node");
  identity.provider = text_of(view, "provider");
  identity.backend = text_of(view, "backend");
  if (const auto device = view.find("device")) {
    if (!device->is_object()) device->fail("expected an object");
    identity.device = {text_of(*device, "index"), text_of(*device, "uuid"),
                       text_of(*device, "name")};
  }
  identity.driver = text_of(view, "driver");
  identity.timer = text_of(view, "timer");
  identity.bench_level = text_of(view, "bench_level");
  identity.shape_mode = text_of(view, "shape_mode");
  identity.shape_file_sha256 = text_of(view, "shape_file_sha256");
  identity.tuner_cache = text_of(view, "tuner_cache");
  identity.autotune_mode = text_of(view, "autotune_mode");
  identity.replay_from = text_of(view, "replay_from");
  identity.direct_repeat = whole_number_of<unsigned>(view, "direct_repeat");
  identity.switch_name = text_of(view, "switch");
  identity.side = text_of(view, "side");
  if (const auto value = view.find("value")) identity.value = value->field();
  identity.round = whole_number_of<unsigned>(view, "round").value_or(0);
  identity.libraries = texts_of(view, "libraries");
  identity.parameters = texts_of(view, "parameters");
  identity.host = text_of(view, "host");
  identity.started_at = text_of(view, "started_at");
  identity.finished_at = text_of(view, "finished_at");
  identity.exit_code = whole_number_of<int>(view, "exit_code");
  return identity;
}

RunIdentity read_run_identity(const std::filesystem::path& folder) {
  const auto path = folder / run_identity_file;
  return parse_run_identity(read_file(path), path.native());
}

std::string print_run_identity(const RunIdentity& identity) {
  json::object object;
  object["schema"] = identity.schema;
  object["tool_version"] = identity.tool_version;
  object["op"] = identity.op;
  object["test_node"] = text_or_null(identity.test_node);
  object["provider"] = identity.provider;
  object["backend"] = identity.backend;
  object["device"] = {{"index", identity.device.index},
                      {"uuid", text_or_null(identity.device.uuid)},
                      {"name", text_or_null(identity.device.name)}};
  object["driver"] = text_or_null(identity.driver);
  object["timer"] = text_or_null(identity.timer);
  object["bench_level"] = text_or_null(identity.bench_level);
  object["shape_mode"] = text_or_null(identity.shape_mode);
  object["shape_file_sha256"] = text_or_null(identity.shape_file_sha256);
  object["tuner_cache"] = text_or_null(identity.tuner_cache);
  object["autotune_mode"] = text_or_null(identity.autotune_mode);
  object["replay_from"] = text_or_null(identity.replay_from);
  object["direct_repeat"] =
      identity.direct_repeat ? json::value(*identity.direct_repeat) : json::value(nullptr);
  object["switch"] = text_or_null(identity.switch_name);
  object["side"] = text_or_null(identity.side);
  object["value"] = identity.value ? json::value(*identity.value) : json::value(nullptr);
  object["round"] = identity.round;
  object["libraries"] = object_of(identity.libraries);
  object["parameters"] = object_of(identity.parameters);
  object["host"] = text_or_null(identity.host);
  object["started_at"] = text_or_null(identity.started_at);
  object["finished_at"] = text_or_null(identity.finished_at);
  object["exit_code"] =
      identity.exit_code ? json::value(*identity.exit_code) : json::value(nullptr);
  return print_json(object, true);
}

}  // namespace zl::formats
