// The small readers that every other stands on: times, numbers, words, names on disk, UTF-8.

#include <cmath>

#include "backends/host_machine.hpp"
#include "base/files.hpp"
#include "base/number.hpp"
#include "base/text.hpp"
#include "base/time.hpp"
#include "fuzz.hpp"
#include "report/measurements.hpp"

using namespace zl;
using fuzz::require;

namespace {

void numbers(std::string_view text) {
  const auto value = parse_double(text);
  if (!value) return;
  require(std::isfinite(*value), "a number is finite");
  const auto once = format_number(*value);
  require(parse_double(once) == *value, "a number reads as it was written");
  require(is_json_number(once), "a number may stand in JSON");
  for (const int decimals : {0, 2, 6})
    require(!format_rounded(*value, decimals).empty(), "rounded");
}

void names(std::string_view text) {
  const auto component = path_component(text);
  require(name_from_component(component) == text, "a name comes back from its component");
  require(!component.empty() && component.find('/') == std::string::npos && component != "." &&
              component != "..",
          "a component stays in its folder");
  require(is_utf8(printable(text)), "what is printed is UTF-8");
  if (!text.empty()) near_names(text, {"abs", "add", std::string(text)});
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto text = fuzz::text_of(data, size);
  numbers(text);
  names(text);
  if (const auto time = parse_time(text))
    require(parse_time(format_time(*time)) == time, "a time reads as it was written");
  fuzz::errors_only_of(ErrorKind::usage, [&] { split_words(text); });
  const auto key = report::size_key(text);
  require(key.size() <= text.size(), "a size's key is not longer than the size");
  backends::parse_cpu_list(text);
  glob_match(std::string(text.substr(0, size / 2)), std::string(text.substr(size / 2)));
  return 0;
}
