#include "cli/machine.hpp"

#include "base/text.hpp"

namespace zl::cli {

OptionGroup backend_options() {
  std::vector<std::string> names;
  for (const auto& backend : backends::registry()) names.push_back(backend.traits.name);
  return {"Backend",
          {{"backend", "NAME",
            join(names, ", ") +
                ", or an alias; auto (the default) takes the first whose sampler answers "
                "[ZL_BACKEND]",
            false, "@backends"}}};
}

OptionGroup machine_options() {
  auto group = backend_options();
  group.options.push_back({"sampler", "NAME",
                           "ask through this one only: nvml or smi for cuda, amd-smi or rocm-smi "
                           "for rocm (default: the first that answers)"});
  group.options.push_back(
      {"deadline", "S", "give up on a vendor's tool after S seconds (default 10)"});
  group.options.push_back(
      {"sysroot", "DIR", "the host's /proc and /sys lie below DIR (default /)"});
  return group;
}

backends::Surroundings machine(const Context& context) {
  auto surroundings = backends::this_machine();
  surroundings.environment = context.environment;
  surroundings.stop = context.stop;
  surroundings.sampler = context.value("sampler").value_or("");
  surroundings.root = context.value("sysroot").value_or("/");
  surroundings.tool_deadline_s = context.number("deadline", 0.01, 3600).value_or(10);
  return surroundings;
}

const backends::Backend& backend(const Context& context,
                                 const backends::Surroundings& surroundings) {
  return backends::find_backend(context.value("backend", "ZL_BACKEND").value_or("auto"),
                                surroundings);
}

}  // namespace zl::cli
