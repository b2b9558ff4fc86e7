#include "campaign/flaggems_report.hpp"

#include <algorithm>
#include <boost/json.hpp>

#include "base/error.hpp"
#include "base/files.hpp"
#include "base/text.hpp"
#include "formats/json.hpp"

namespace zl::campaign {

namespace {

using formats::JsonView;

std::string text_of(const JsonView& view, std::string_view key) {
  const auto found = view.find(key);
  return found ? found->field() : "";
}

std::optional<double> number_of(const JsonView& view, std::string_view key) {
  const auto found = view.find(key);
  return found ? std::optional(found->number()) : std::nullopt;
}

/// "torch.float16" as every other row calls it.
std::string dtype_name(const std::string& dtype) {
  return dtype.starts_with("torch.") ? dtype.substr(6) : dtype;
}

formats::MeasuredRow read_row(const JsonView& view) {
  formats::MeasuredRow row;
  row.op = view.at("op").text();
  row.dtype = dtype_name(text_of(view, "dtype"));
  row.size = text_of(view, "size");
  row.latency_ms = number_of(view, "latency_ms");
  row.base_ms = number_of(view, "base_ms");
  row.status = view.at("status").text();
  row.timer = text_of(view, "timer");
  row.runs = number_of(view, "repeat");
  if (const auto values = view.find("values"); values && values->size() > 1) {
    for (std::size_t i = 0; i < values->size(); ++i) {
      const double value = values->element(i).number();
      row.min_ms = std::min(row.min_ms.value_or(value), value);
      row.max_ms = std::max(row.max_ms.value_or(value), value);
    }
  }
  std::vector<std::string> notes;
  if (const auto reason = text_of(view, "reason"); !reason.empty())
    notes.push_back("direct: " + without_commas(reason));
  if (const auto base = text_of(view, "base_timer"); !base.empty() && base != row.timer)
    notes.push_back("base_timer=" + base);
  if (row.runs && *row.runs > 1) notes.push_back("repeat=" + text_of(view, "repeat"));
  if (view.find("unclear")) notes.push_back("order and active operators disagree on the side");
  if (const auto error = text_of(view, "error"); !error.empty())
    notes.push_back(without_commas(error));
  row.note = join(notes, ",");
  return row;
}

void read_facts(const JsonView& view, FlagGemsReport& report) {
  const auto libraries = view.at("libraries");
  if (!libraries.is_object()) libraries.fail("expected an object");
  for (const auto& member : libraries.value().as_object())
    report.libraries[std::string(member.key())] = formats::scalar_text(member.value());
  report.libraries["vendor"] = text_of(view, "vendor");
}

void read_entry(const JsonView& view, FlagGemsReport& report) {
  const auto kind = view.at("kind").text();
  if (kind == "row") {
    report.rows.push_back(read_row(view));
    report.fallbacks += text_of(view, "reason").empty() ? 0 : 1;
    if (report.error.empty()) report.error = text_of(view, "error");
  } else if (kind == "facts") {
    read_facts(view, report);
  } else if (kind == "compiler") {
    report.libraries["triton_fingerprint"] = view.at("fingerprint").text();
  } else if (kind == "mismatch") {
    report.mismatch = text_of(view, "what") + " expected " + text_of(view, "expected") + " got " +
                      text_of(view, "got");
  } else if (kind == "poisoned") {
    report.poisoned = text_of(view, "reason");
  } else if (kind == "foreign") {
    const auto vendors = view.at("vendors");
    for (std::size_t i = 0; i < vendors.size(); ++i)
      report.foreign.push_back(vendors.element(i).text());
  } else if (kind == "shapes") {
    const bool ignored = view.at("ignored").boolean();
    report.notes.push_back(std::string("BENCHMARK_SHAPES_") + (ignored ? "IGNORED" : "DIFFER") +
                           (view.at("applied").boolean() ? " applied" : ""));
  } else if (kind == "guard") {
    report.notes.push_back("GUARD_LIFTED");
  } else {
    view.fail("unknown kind " + in_quotes(kind));
  }
}

/// The text between two marks of a line; nothing where either is missing.
std::optional<std::string> between(std::string_view line, std::string_view before,
                                   std::string_view after) {
  const auto start = line.find(before);
  if (start == std::string_view::npos) return std::nullopt;
  line.remove_prefix(start + before.size());
  const auto end = line.find(after);
  if (end == std::string_view::npos) return std::nullopt;
  return std::string(line.substr(0, end));
}

}  // namespace

std::string without_commas(std::string text) {
  for (auto& c : text)
    if (c == ',') c = ';';
  return printable(text);
}

FlagGemsReport read_flaggems_report(const std::filesystem::path& file) {
  FlagGemsReport report;
  auto content = try_read_file(file).value_or("");
  // A process that died can leave half a line; whole ones end in a newline.
  content.resize(content.rfind('\n') == std::string::npos ? 0 : content.rfind('\n') + 1);
  std::size_t line = 0;
  for (const auto text : split(content, '\n')) {
    ++line;
    if (trim(text).empty()) continue;
    const auto value = formats::parse_json(text, file.native(), line);
    read_entry(JsonView(value, file.native() + ":" + std::to_string(line)), report);
  }
  std::sort(report.notes.begin(), report.notes.end());
  report.notes.erase(std::unique(report.notes.begin(), report.notes.end()), report.notes.end());
  return report;
}

PytestLog read_pytest_log(const std::filesystem::path& file) {
  PytestLog log;
  const auto content = try_read_file(file).value_or("");
  for (const auto line : split(content, '\n')) {
    if (line.starts_with("SKIPPED [")) {
      const auto place = line.find(": ");
      if (place != std::string_view::npos) log.skips.emplace_back(trim(line.substr(place + 2)));
    } else if (const auto kernel =
                   between(line, "Triton autotuning for function ", " finished after ")) {
      log.tuned.push_back(*kernel);
    } else if (line.starts_with("E   ") && !trim(line.substr(1)).empty()) {
      log.failures.emplace_back(trim(line.substr(1)).substr(0, 200));
    }
  }
  return log;
}

}  // namespace zl::campaign
