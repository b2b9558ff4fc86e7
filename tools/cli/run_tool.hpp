#pragma once
// The frame of every tool: options parsed and checked, one body called, every exception turned
// into a message on stderr and an exit status, output flushed and checked.

#include <functional>
#include <istream>
#include <map>
#include <memory>
#include <optional>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include "base/unique_fd.hpp"
#include "formats/rows.hpp"
#include "process/process.hpp"
#include "process/stop.hpp"

namespace zl::cli {

/// One option, as data: parsing, --help, the man page and the completions come from it.
struct Option {
  std::string names;        ///< "json" or "help,h"
  std::string argument;     ///< what its value is called; "" for a flag
  std::string help;         ///< default and unit included; the variable in [brackets]
  bool repeatable = false;  ///< may be given several times
  /// For completions: the words it takes, or @devices, @backends, @operators; "" for none.
  std::string values = {};
};

struct OptionGroup {
  std::string title;
  std::vector<Option> options;
};

/// One tool's command line, as data.
struct Spec {
  std::string name;                   ///< zl-devices
  std::string summary;                ///< one line: what question it answers
  std::vector<std::string> synopsis;  ///< argument forms, without the name
  std::vector<OptionGroup> groups;    ///< in the order of --help
  std::string operands;   ///< what operands are called ("ROOT"); "" where none are taken
  int most_operands = 0;  ///< -1: any number
  std::string details;    ///< paragraphs after the options: rules, exit statuses, examples
};

/// What a body gets.
struct Context {
  std::string name;
  std::map<std::string, std::vector<std::string>> options;  ///< long name → values, as given
  std::vector<std::string> operands;
  std::istream& in;
  std::ostream& out;
  process::Environment environment;
  process::StopToken stop;

  /// One line on stderr, `name: text`, control characters escaped.
  void say(std::string_view text) const;
  bool has(const std::string& option) const { return options.count(option) != 0; }
  /// All values of a repeatable option, in order.
  std::vector<std::string> values(const std::string& option) const;
  /// The option, else the environment variable (when not empty), else nothing.
  std::optional<std::string> value(const char* option, const char* variable = nullptr) const;
  /// A whole number from option or environment variable. Throws Error(usage) outside the range.
  std::optional<std::uint64_t> count(const char* option, std::uint64_t least, std::uint64_t most,
                                     const char* variable = nullptr) const;
  /// A finite number within [least, most].
  std::optional<double> number(const char* option, double least, double most,
                               const char* variable = nullptr) const;
  formats::RowFormat row_format() const;
};

/// Runs `body` and returns the process's exit status.
int run_tool(const Spec& spec, int argc, char** argv, const std::function<int(Context&)>& body);

/// --json, shared by every tool that prints rows.
OptionGroup output_options();

/// An input named on the command line: "-" is standard input. Throws Error(environment). A stop
/// request ends a read by an exception that run_tool understands (cli/fd_input.hpp).
class Input {
 public:
  Input(const std::string& path, Context& context);
  std::istream& stream() { return *stream_; }
  const std::string& name() const { return name_; }

 private:
  UniqueFd fd_;
  std::unique_ptr<std::istream> file_;
  std::istream* stream_;
  std::string name_;
};

}  // namespace zl::cli
