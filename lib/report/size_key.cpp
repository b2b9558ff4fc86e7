#include "report/measurements.hpp"

namespace zl::report {

std::string size_key(std::string_view size) {
  constexpr std::string_view torch_size = "torch.Size(";
  std::string key, closers;  // what each open parenthesis closes with; \0 for nothing
  for (std::size_t i = 0; i < size.size(); ++i) {
    const char c = size[i];
    if (c == 't' && size.substr(i).starts_with(torch_size)) {
      closers += '\0';
      i += torch_size.size() - 1;
    } else if (c == '(') {
      closers += ']';
      key += '[';
    } else if (c == ')' && !closers.empty()) {
      // Python prints a tuple of one with a comma.
      if (closers.back() != '\0') {
        if (key.ends_with(',')) key.pop_back();
        key += closers.back();
      }
      closers.pop_back();
    } else if (c != ' ' && c != '\'' && c != '"') {
      key += c;
    }
  }
  // Python's words for what JSON writes in lower case.
  for (const auto& [python, json] :
       {std::pair{"True", "true"}, {"False", "false"}, {"None", "null"}}) {
    const std::string_view from = python;
    for (auto at = key.find(from); at != std::string::npos; at = key.find(from, at))
      key.replace(at, from.size(), json);
  }
  return key;
}

}  // namespace zl::report
