#include "backends/device_rows.hpp"

#include "base/number.hpp"
#include "base/text.hpp"

namespace zl::backends {

const std::vector<formats::Column>& device_columns() {
  using enum formats::ColumnType;
  static const std::vector<formats::Column> all = {
      {"backend", text},    {"index", text},        {"uuid", text},   {"name", text},
      {"pci_bus_id", text}, {"memory_mib", number}, {"visible", text}};
  return all;
}

std::vector<std::string> device_fields(const Device& device) {
  return {device.backend,
          device.index,
          device.uuid,
          device.name,
          device.pci_bus_id,
          format_optional(device.memory_mib),
          device.visible ? (*device.visible ? "yes" : "no") : ""};
}

const std::vector<formats::Column>& registry_columns() {
  static const auto all =
      formats::text_columns({"name", "aliases", "visibility_variables", "sampler", "graph_capture",
                             "graph_class", "torch_device", "flaggems_vendor", "switch_prefix"});
  return all;
}

std::vector<std::string> registry_fields(const Traits& traits) {
  return {traits.name,
          join(traits.aliases, ","),
          join(traits.visibility_variables, ","),
          traits.sampler,
          traits.graph_capture ? "yes" : "no",
          traits.graph_class,
          traits.torch_device,
          traits.flaggems_vendor,
          traits.switch_prefix};
}

}  // namespace zl::backends
