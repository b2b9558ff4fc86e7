#include "campaign/flaggems_nodes.hpp"

#include <stdlib.h>

#include <algorithm>
#include <boost/json.hpp>
#include <cerrno>

#include "base/error.hpp"
#include "base/files.hpp"
#include "base/sha256.hpp"
#include "base/text.hpp"
#include "formats/json.hpp"

namespace zl::campaign {

namespace fs = std::filesystem;

namespace {

constexpr double listing_deadline_s = 120, collection_deadline_s = 900;
constexpr const char* listing_program = "zl_nodes.py";

std::string variable(const process::Environment& environment, const char* name) {
  const auto found = environment.find(name);
  return found == environment.end() ? "" : found->second;
}

/// The end of a program's output, for a message of one line.
std::string last_words(const std::string& output) {
  std::vector<std::string> lines;
  for (const auto line : split(output, '\n'))
    if (!trim(line).empty()) lines.emplace_back(trim(line));
  const auto from = lines.size() > 3 ? lines.size() - 3 : 0;
  return join({lines.begin() + static_cast<std::ptrdiff_t>(from), lines.end()}, "; ");
}

std::vector<FlagGemsNode> parse_nodes(const std::string& text, const std::string& name) {
  std::vector<FlagGemsNode> nodes;
  std::size_t line = 0;
  for (const auto part : split(text, '\n')) {
    ++line;
    if (part.empty()) continue;
    const auto value = formats::parse_json(part, name, line);
    const formats::JsonView view(value, name);
    nodes.push_back({view.at("op").text(), view.at("file").text(), view.at("function").text()});
  }
  return nodes;
}

std::string run_listing(const FlagGemsOptions& options, const fs::path& plugins,
                        const std::vector<std::string>& arguments) {
  process::Command command;
  command.argv = {options.python, (plugins / listing_program).native()};
  command.argv.insert(command.argv.end(), arguments.begin(), arguments.end());
  command.environment["PYTHONPATH"] = python_path(options, process::current_environment());
  command.environment["PYTHONDONTWRITEBYTECODE"] = "1";
  process::Limits limits;
  limits.deadline_s = listing_deadline_s;
  const auto outcome = process::run(command, limits);
  if (!outcome.ok())
    throw environment_error("cannot list FlagGems' operators: " + last_words(outcome.err));
  return outcome.out;
}

fs::path cache_file(const FlagGemsOptions& options, const process::Environment& environment) {
  auto folder = options.cache_folder;
  if (folder.empty()) {
    const auto xdg = variable(environment, "XDG_CACHE_HOME"), home = variable(environment, "HOME");
    if (xdg.empty() && home.empty()) return {};
    folder = (xdg.empty() ? fs::path(home) / ".cache" : fs::path(xdg)) / "zl" / "flaggems";
  }
  return folder / ("nodes-" + benchmark_digest(options.dir).substr(0, 32) + ".jsonl");
}

std::vector<std::string> nodes_named(const std::vector<const FlagGemsNode*>& nodes) {
  std::vector<std::string> names;
  names.reserve(nodes.size());
  for (const auto* node : nodes) names.push_back(node->node());
  return names;
}

std::string or_near(const std::vector<std::string>& near) {
  return near.empty() ? "; zl-bench --list --flaggems DIR lists them"
                      : "; near names: " + join(near, ", ");
}

}  // namespace

fs::path find_plugins(const fs::path& wanted, const process::Environment& environment) {
  auto folder = wanted.empty() ? fs::path(variable(environment, "ZL_PYTEST_DIR")) : wanted;
  if (folder.empty()) {
    std::error_code ignored;
    const auto program = fs::read_symlink("/proc/self/exe", ignored);
    folder = program.parent_path().parent_path() / "share" / "zl" / "pytest";
  }
  if (!fs::exists(folder / listing_program))
    throw environment_error("no pytest plugins in " + in_quotes(folder.native()) +
                            "; name their folder by ZL_PYTEST_DIR");
  return fs::absolute(folder);
}

std::string benchmark_digest(const fs::path& dir) {
  if (!fs::is_regular_file(dir / "benchmark" / "conftest.py"))
    throw environment_error(in_quotes(dir.native()) +
                            " is no FlagGems checkout: it has no benchmark/conftest.py");
  std::vector<fs::path> files = {dir / "pytest.ini"};
  for (const auto& entry : fs::recursive_directory_iterator(dir / "benchmark"))
    if (entry.is_regular_file() && entry.path().extension() == ".py") files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  std::string sums;
  for (const auto& file : files)
    sums += file.lexically_relative(dir).native() + " " +
            sha256_hex(try_read_file(file).value_or("")) + "\n";
  return sha256_hex(sums);
}

std::vector<FlagGemsNode> nodes_from_sources(const FlagGemsOptions& options,
                                             const fs::path& plugins) {
  return parse_nodes(run_listing(options, plugins, {"sources", options.dir.native()}),
                     listing_program);
}

std::vector<FlagGemsNode> nodes_from_cache(const FlagGemsOptions& options,
                                           const process::Environment& environment) {
  const auto file = cache_file(options, environment);
  const auto text = file.empty() ? std::nullopt : try_read_file(file);
  return text ? parse_nodes(*text, file.native()) : std::vector<FlagGemsNode>{};
}

std::vector<FlagGemsNode> nodes_by_collection(const FlagGemsOptions& options,
                                              const fs::path& plugins,
                                              const process::Environment& environment,
                                              const process::StopToken& stop) {
  if (auto cached = nodes_from_cache(options, environment); !cached.empty()) return cached;
  auto scratch = (temporary_folder() / "zl-collect-XXXXXX").native();
  if (::mkdtemp(scratch.data()) == nullptr)
    throw system_error("cannot make a folder below " + in_quotes(scratch), errno);
  const auto marks = fs::path(scratch) / "marks.yaml";
  process::Command command;
  command.argv = {options.python, "-m",
                  "pytest",       "-q",
                  "-p",           "no:cacheprovider",
                  "benchmark",    "--collect-marks",
                  marks.native(), "--continue-on-collection-errors"};
  command.folder = options.dir.native();
  command.err_to_out = true;
  command.environment = {{"PYTHONPATH", python_path(options, environment)},
                         {"PYTHONDONTWRITEBYTECODE", "1"},
                         {"FLAGGEMS_CACHE_DIR", scratch},
                         {"FLAGGEMS_DB_URL", std::nullopt},
                         {"PYTEST_ADDOPTS", std::nullopt},
                         {"USE_FLAGTUNE", options.use_flagtune}};
  process::Limits limits;
  limits.deadline_s = collection_deadline_s;
  const auto outcome = process::run(command, limits, stop);
  std::error_code ignored;
  const bool collected = fs::exists(marks, ignored);
  std::string listing;
  if (collected)
    listing = run_listing(options, plugins, {"marks", marks.native(), options.dir.native()});
  fs::remove_all(scratch, ignored);
  if (!collected)
    throw environment_error("FlagGems' benchmark cannot be collected by " +
                            process::shell_words(command.argv) + ": " + last_words(outcome.out));
  try {
    if (const auto file = cache_file(options, environment); !file.empty()) {
      make_folders(file.parent_path());
      replace_file(file, listing);
    }
  } catch (const Error&) {
    // A cache that cannot be written costs time only.
  }
  return parse_nodes(listing, listing_program);
}

std::string current_op_key(const std::string& function) {
  const auto scope = function.rfind("::");
  auto key = scope == std::string::npos ? function : function.substr(scope + 2);
  key = key.substr(0, key.find('['));
  return key.starts_with("test_") ? key.substr(5) : key;
}

std::string python_path(const FlagGemsOptions& options, const process::Environment& environment,
                        const std::string& first) {
  std::vector<std::string> parts;
  if (!first.empty()) parts.push_back(first);
  for (const auto& folder : options.python_path)
    parts.push_back(fs::absolute(folder).lexically_normal().native());
  if (const auto inherited = variable(environment, "PYTHONPATH"); !inherited.empty())
    parts.push_back(inherited);
  return join(parts, ":");
}

FlagGemsNode find_test_node(const std::vector<FlagGemsNode>& nodes, const std::string& wanted) {
  auto name = wanted.substr(0, wanted.find('['));
  if (!name.starts_with("benchmark/")) name = "benchmark/" + name;
  std::vector<std::string> known;
  for (const auto& node : nodes) {
    if (node.node() == name) return node;
    known.push_back(node.node());
  }
  throw usage_error("--test-node: FlagGems' benchmark has no " + in_quotes(wanted) +
                    or_near(near_names(name, known)));
}

FlagGemsNode resolve_flaggems_node(const std::vector<FlagGemsNode>& nodes, const std::string& op) {
  std::vector<const FlagGemsNode*> by_mark, by_function;
  for (const auto& node : nodes) {
    if (node.node() == op) return node;
    if (node.op == op) by_mark.push_back(&node);
    if (node.function == op || node.function == "test_" + op) by_function.push_back(&node);
  }
  if (by_mark.size() == 1) return *by_mark.front();
  if (by_function.size() == 1) return *by_function.front();
  const auto& several = by_mark.empty() ? by_function : by_mark;
  if (!several.empty())
    throw usage_error("operator " + in_quotes(op) + " is measured by " +
                      std::to_string(several.size()) +
                      " functions; name one of them: " + join(nodes_named(several), ", "));
  std::vector<std::string> known;
  for (const auto& node : nodes) {
    if (!node.op.empty()) known.push_back(node.op);
    known.push_back(node.function);
  }
  std::sort(known.begin(), known.end());
  known.erase(std::unique(known.begin(), known.end()), known.end());
  throw usage_error("FlagGems' benchmark has no operator " + in_quotes(op) +
                    or_near(near_names(op, known)));
}

std::vector<FlagGemsNode> list_flaggems_nodes(const FlagGemsOptions& options) {
  const auto environment = process::current_environment();
  const auto plugins = find_plugins(options.plugin_folder, environment);
  benchmark_digest(options.dir);  // says that it is a checkout
  const auto cached = nodes_from_cache(options, environment);
  return cached.empty() ? nodes_from_sources(options, plugins) : cached;
}

}  // namespace zl::campaign
