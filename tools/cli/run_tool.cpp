#include "cli/run_tool.hpp"

#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <boost/program_options.hpp>
#include <cerrno>
#include <filesystem>
#include <iostream>
#include <new>

#include "base/error.hpp"
#include "base/text.hpp"
#include "cli/exit_status.hpp"
#include "cli/fd_input.hpp"
#include "cli/fd_output.hpp"
#include "cli/help.hpp"

namespace zl::cli {

namespace po = boost::program_options;

namespace {

/// A tool started with 0, 1 or 2 closed would open its own files there. A closed standard output
/// stays one that cannot be written, so that rows are not lost in silence.
void open_standard_descriptors() {
  for (int fd = 0; fd < 3; ++fd)
    if (::fcntl(fd, F_GETFD) < 0) ::open("/dev/null", fd == 2 ? O_WRONLY : O_RDONLY);
}

OptionGroup common_options() {
  return {"Common",
          {{"help,h", "", "print this help and exit"},
           {"version,V", "", "print the version and exit"}}};
}

void add_group(po::options_description& all, const OptionGroup& group) {
  for (const auto& option : group.options) {
    if (option.argument.empty()) {
      all.add_options()(option.names.c_str(), "");
    } else if (option.repeatable) {
      all.add_options()(option.names.c_str(), po::value<std::vector<std::string>>()->composing(),
                        "");
    } else {
      all.add_options()(option.names.c_str(), po::value<std::string>(), "");
    }
  }
}

constexpr const char* operands_key = "operands";

std::map<std::string, std::vector<std::string>> parse(const Spec& spec, int argc, char** argv) {
  po::options_description all;
  for (const auto& group : spec.groups) add_group(all, group);
  add_group(all, common_options());
  all.add_options()(operands_key, po::value<std::vector<std::string>>());
  all.add_options()("zl-option-table", "");
  po::positional_options_description positions;
  positions.add(operands_key, -1);
  const int style = po::command_line_style::default_style & ~po::command_line_style::allow_guessing;
  po::variables_map map;
  po::store(
      po::command_line_parser(argc, argv).options(all).positional(positions).style(style).run(),
      map);
  std::map<std::string, std::vector<std::string>> values;
  for (const auto& [name, value] : map) {
    if (const auto* many = boost::any_cast<std::vector<std::string>>(&value.value())) {
      values[name] = *many;
    } else if (const auto* one = boost::any_cast<std::string>(&value.value())) {
      values[name] = {*one};
    } else {
      values[name] = {};
    }
  }
  return values;
}

int finish_output(const Context& context, const FdOutput& output, int status) {
  context.out.flush();
  if (context.out) return status;
  context.say(system_error("cannot write standard output", output.error()).what());
  return exit_environment;
}

/// The texts made from the Spec; false where none is asked for.
bool print_about(const Spec& spec, Context& context) {
  if (context.has("help"))
    context.out << help_text(spec, common_options());
  else if (context.has("version"))
    context.out << spec.name << " " << ZL_VERSION << "\n";
  else if (context.has("zl-option-table"))
    context.out << option_table(spec, common_options());
  else
    return false;
  return true;
}

int run_body(const Spec& spec, int argc, char** argv, const std::function<int(Context&)>& body) {
  const auto options = parse(spec, argc, argv);
  const process::StopSignals signals;
  const auto stop = signals.token();
  FdInput in(STDIN_FILENO, "standard input", stop);
  FdOutput output(STDOUT_FILENO);
  std::ostream out(&output);
  Context context{spec.name, options, {}, in, out, process::current_environment(), stop};
  if (print_about(spec, context)) return finish_output(context, output, exit_done);
  context.operands = context.values(operands_key);
  if (spec.most_operands >= 0 &&
      context.operands.size() > static_cast<std::size_t>(spec.most_operands))
    throw usage_error("unexpected operand " +
                      in_quotes(context.operands[static_cast<std::size_t>(spec.most_operands)]));
  process::adopt_orphans();
  int status = exit_done;
  try {
    status = body(context);
  } catch (const Interrupted&) {
    status = exit_signal_base + stop.signal();
  }
  const int finished = finish_output(context, output, status);
  // What was interrupted says so, unless it already ended for a reason of its own.
  return stop.requested() && finished == exit_done ? exit_signal_base + stop.signal() : finished;
}

}  // namespace

int run_tool(const Spec& spec, int argc, char** argv, const std::function<int(Context&)>& body) {
  std::ios::sync_with_stdio(false);
  open_standard_descriptors();
  ::signal(SIGXFSZ, SIG_IGN);  // a file at its limit (ulimit -f) is a write that fails and is told
  const auto say = [&](const std::string& text) {
    std::cerr << spec.name << ": " << text << std::endl;
  };
  try {
    return run_body(spec, argc, argv, body);
  } catch (const Error& error) {
    say(error.what());
    if (error.kind() == ErrorKind::usage) std::cerr << "Try '" << spec.name << " --help'\n";
    return exit_status(error.kind());
  } catch (const po::error& error) {
    say(printable(error.what()));
    std::cerr << "Try '" << spec.name << " --help'\n";
    return exit_bad_input;
  } catch (const std::filesystem::filesystem_error& error) {
    say("cannot use " + in_quotes(error.path1().native()) + ": " +
        printable(error.code().message()));
    return exit_environment;
  } catch (const std::bad_alloc&) {
    say("out of memory");
    return exit_environment;
  } catch (const std::exception& error) {
    say(printable(error.what()));
    return exit_environment;
  }
}

}  // namespace zl::cli
