#pragma once
// Where readings go: rows on standard output, appended to a file, or a file that always holds the
// newest reading.

#include <memory>
#include <set>
#include <string>
#include <vector>

#include "base/files.hpp"
#include "cli/run_tool.hpp"
#include "telemetry/sampling.hpp"

namespace zl::telemetry_tool {

enum class Format { tsv, json, prometheus };

class Sink {
 public:
  /// By --format, --json, --append and --output; opens the file to append to. Throws Error(usage)
  /// on a combination that makes no sense.
  explicit Sink(cli::Context& context);

  /// What labels of the prometheus form are made from.
  void describe(std::string backend, std::vector<backends::Device> devices);
  /// Writes one reading; its warnings and failure are said, each once.
  void write(const telemetry::Tick& tick);
  /// Says something once, however often it happens.
  void say_once(const std::string& text);
  /// The file given by --append; "" for none.
  const std::string& append_path() const { return append_path_; }
  Format format() const { return format_; }

 private:
  std::string print(const telemetry::Tick& tick) const;

  cli::Context& context_;
  Format format_ = Format::tsv;
  std::string append_path_, output_path_, backend_;
  std::unique_ptr<AppendFile> append_;
  std::vector<backends::Device> devices_;
  std::set<std::string> said_;
  bool header_written_ = false;
};

}  // namespace zl::telemetry_tool
