#include "sink.hpp"

#include "base/error.hpp"
#include "base/text.hpp"
#include "telemetry/prometheus.hpp"

namespace zl::telemetry_tool {

namespace {

Format format_of(const cli::Context& context) {
  const auto name = context.value("format").value_or(context.has("json") ? "json" : "tsv");
  if (name == "tsv") return Format::tsv;
  if (name == "json") return Format::json;
  if (name == "prometheus") return Format::prometheus;
  throw usage_error("--format: expected tsv, json or prometheus, got " + in_quotes(name));
}

}  // namespace

Sink::Sink(cli::Context& context)
    : context_(context),
      format_(format_of(context)),
      append_path_(context.value("append").value_or("")),
      output_path_(context.value("output").value_or("")) {
  if (!append_path_.empty() && !output_path_.empty())
    throw usage_error("--append and --output exclude each other");
  if (!append_path_.empty() && format_ == Format::prometheus)
    throw usage_error("--format prometheus describes one moment: use --output, not --append");
  if (!append_path_.empty()) append_ = std::make_unique<AppendFile>(append_path_);
}

void Sink::describe(std::string backend, std::vector<backends::Device> devices) {
  backend_ = std::move(backend);
  devices_ = std::move(devices);
}

std::string Sink::print(const telemetry::Tick& tick) const {
  if (format_ == Format::prometheus) return telemetry::prometheus_text(backend_, devices_, tick);
  std::string lines;
  for (const auto& sample : tick.set.samples) {
    const auto fields = telemetry::fields(tick.time, sample);
    lines += format_ == Format::json ? formats::json_line(telemetry::columns(), fields)
                                     : formats::tsv_line(fields);
  }
  return lines;
}

void Sink::write(const telemetry::Tick& tick) {
  for (const auto& warning : tick.set.warnings) say_once(warning);
  if (!tick.failure.empty()) say_once(tick.failure);
  const auto header =
      format_ == Format::tsv ? formats::tsv_header(telemetry::columns()) : std::string();
  if (append_) {
    append_->append(header, print(tick));
  } else if (!output_path_.empty()) {
    // A failed reading leaves rows as they are; the prometheus form says so by itself.
    if (tick.failure.empty() || format_ == Format::prometheus)
      replace_file(output_path_, header + print(tick));
  } else {
    if (!header_written_) context_.out << header;
    header_written_ = true;
    context_.out << print(tick) << std::flush;
  }
}

void Sink::say_once(const std::string& text) {
  if (said_.insert(text).second) context_.say(text);
}

}  // namespace zl::telemetry_tool
