#include "flaggems.hpp"

#include "base/error.hpp"
#include "base/text.hpp"

namespace zl::bench {

namespace {

std::vector<std::string> words_of(const std::optional<std::string>& list) {
  std::vector<std::string> words;
  if (!list) return words;
  for (const auto part : split(*list, ',')) words.emplace_back(trim(part));
  return words;
}

std::optional<unsigned> milliseconds(const cli::Context& context, const char* option) {
  const auto value = context.count(option, 0, 3'600'000);
  return value ? std::optional(static_cast<unsigned>(*value)) : std::nullopt;
}

void refuse_command_options(const cli::Context& context) {
  for (const char* option : {"command", "runs", "rows"})
    if (context.has(option))
      throw usage_error(std::string("--") + option + " belongs to --provider command");
}

}  // namespace

campaign::FlagGemsOptions flaggems_options(const cli::Context& context) {
  refuse_command_options(context);
  campaign::FlagGemsOptions options;
  const auto dir = context.value("flaggems");
  if (!dir) throw usage_error("--provider flaggems needs --flaggems DIR");
  options.dir = *dir;
  options.python = context.value("python").value_or(options.python);
  options.python_path = context.values("python-path");
  options.test_node = context.value("test-node").value_or("");
  options.level = context.value("level").value_or(options.level);
  options.mode = context.value("mode").value_or(options.mode);
  options.dtypes = words_of(context.value("dtypes"));
  options.warmup_ms = milliseconds(context, "warmup");
  options.iter_ms = milliseconds(context, "iter");
  options.shape_mode = context.value("shape-mode").value_or(options.shape_mode);
  options.shape_file = context.value("shape-file").value_or("");
  options.timer = campaign::flaggems_timer_from(context.value("timer").value_or("auto"));
  options.direct_repeat =
      static_cast<unsigned>(context.count("direct-repeat", 1, 1'000'000).value_or(1));
  options.tuner_cache =
      campaign::tuner_cache_from(context.value("tuner-cache").value_or("isolated"));
  options.autotune = campaign::autotune_from(context.value("autotune").value_or("auto"));
  options.replay_from = context.value("replay-from").value_or("");
  const auto flagtune = context.environment.find("USE_FLAGTUNE");
  if (flagtune != context.environment.end() && !flagtune->second.empty())
    options.use_flagtune = flagtune->second;
  return options;
}

std::unique_ptr<campaign::Provider> flaggems_provider(const cli::Context& context,
                                                      const backends::Backend& backend,
                                                      const std::vector<campaign::PlanRow>& plan) {
  auto options = flaggems_options(context);
  options.collect = !context.has("dry-run");
  if (options.test_node.empty()) {
    const auto nodes = campaign::list_flaggems_nodes(options);
    for (const auto& row : plan) campaign::resolve_flaggems_node(nodes, row.op);
  }
  return campaign::make_flaggems_provider(std::move(options), backend, context.environment,
                                          context.stop);
}

void print_flaggems_list(cli::Context& context) {
  const auto nodes = campaign::list_flaggems_nodes(flaggems_options(context));
  formats::RowWriter writer(context.out, formats::text_columns({"op", "node"}),
                            context.row_format());
  for (const auto& node : nodes) writer.write({node.op, node.node()});
}

}  // namespace zl::bench
