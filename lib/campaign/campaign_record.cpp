#include "campaign/campaign_record.hpp"

#include <algorithm>
#include <boost/json.hpp>
#include <set>

#include "base/files.hpp"
#include "campaign/run_folder.hpp"
#include "formats/json.hpp"

namespace zl::campaign {

namespace json = boost::json;

std::string print_campaign_record(const CampaignRecord& record) {
  json::object object;
  object["schema"] = 1;
  object["tool_version"] = record.tool_version;
  object["started_at"] = record.started_at;
  object["host"] = record.host;
  object["backend"] = record.backend;
  object["provider"] = record.provider;
  json::array devices;
  for (const auto& device : record.devices)
    devices.push_back({{"index", device.index}, {"uuid", device.uuid}, {"name", device.name}});
  object["devices"] = std::move(devices);
  json::object options;
  for (const auto& [name, values] : record.options) {
    json::array list;
    for (const auto& value : values) list.emplace_back(value);
    options[name] = std::move(list);
  }
  object["options"] = std::move(options);
  return formats::print_json(object, true);
}

std::optional<CampaignRecord> read_campaign_record(const std::filesystem::path& root) {
  const auto path = root / campaign_file;
  if (!std::filesystem::exists(path)) return std::nullopt;
  const auto document = formats::parse_json(read_file(path), path.native());
  const formats::JsonView view(document, path.native());
  CampaignRecord record;
  record.tool_version = view.at("tool_version").text();
  record.started_at = view.at("started_at").text();
  record.host = view.at("host").text();
  record.backend = view.at("backend").text();
  record.provider = view.at("provider").text();
  const auto devices = view.at("devices");
  for (std::size_t i = 0; i < devices.size(); ++i) {
    const auto device = devices.element(i);
    backends::Device listed;
    listed.backend = record.backend;
    listed.index = device.at("index").text();
    listed.uuid = device.at("uuid").text();
    listed.name = device.at("name").text();
    record.devices.push_back(std::move(listed));
  }
  const auto options = view.at("options");
  if (!options.is_object()) options.fail("expected an object");
  for (const auto& member : options.value().get_object()) {
    const auto values = options.at(std::string(member.key()));
    auto& list = record.options[std::string(member.key())];
    for (std::size_t i = 0; i < values.size(); ++i) list.push_back(values.element(i).text());
  }
  return record;
}

std::string print_plan(const std::vector<PlanRow>& plan) {
  PlanShape shape;
  std::set<std::string> names;
  for (const auto& row : plan) {
    shape.hosts = shape.hosts || !row.host.empty();
    shape.split = shape.split || row.first_round != 1;
    for (const auto& [name, value] : row.fields)
      if (names.insert(name).second) shape.passthrough.push_back({name});
  }
  auto text = formats::tsv_header(plan_columns(shape));
  for (const auto& row : plan) {
    auto fields = plan_fields(row, shape);
    // What nobody estimated is not known, which is not 0.
    if (row.weight_s == 0) std::fill(fields.begin() + 3, fields.begin() + 6, "");
    for (const auto& column : shape.passthrough) {
      const auto found = row.fields.find(column.name);
      fields.push_back(found == row.fields.end() ? "" : found->second);
    }
    text += formats::tsv_line(fields);
  }
  return text;
}

}  // namespace zl::campaign
