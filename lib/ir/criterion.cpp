#include "ir/criterion.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "base/text.hpp"
#include "ir/digest.hpp"

namespace zl::ir {

namespace {

std::vector<std::string> sorted(std::vector<std::string> values) {
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
  return values;
}

/// ` name=a,b` with blanks, commas, percent signs and control characters as %XX.
void append_list(std::string& text, const char* name, const std::vector<std::string>& values) {
  constexpr std::string_view digits = "0123456789ABCDEF";
  text += std::string(" ") + name + "=";
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (i != 0) text += ',';
    for (const char c : values[i]) {
      const auto byte = static_cast<unsigned char>(c);
      if (byte > ' ' && byte < 0x7F && c != ',' && c != '%') {
        text += c;
      } else {
        text += {'%', digits[byte >> 4U], digits[byte & 0xFU]};
      }
    }
  }
}

bool matches_any(const std::vector<std::string>& globs, const std::string& name) {
  return std::any_of(globs.begin(), globs.end(),
                     [&](const std::string& glob) { return glob_match(glob, name); });
}

}  // namespace

std::string Criterion::text() const {
  const Criterion plain;
  std::string text = criterion_version;
  if (sorted(extensions) != plain.extensions) append_list(text, "ext", sorted(extensions));
  if (sorted(strip) != plain.strip) append_list(text, "strip", sorted(strip));
  if (!kernels.empty()) append_list(text, "kernel", sorted(kernels));
  if (!ignored.empty()) append_list(text, "ignore", sorted(ignored));
  return text;
}

std::uint64_t Criterion::seed() const {
  return seed_of(text());
}

bool Criterion::is_kernel(std::string_view file_name) const {
  for (const auto& extension : extensions) {
    if (file_name.size() <= extension.size() + 1 || !file_name.ends_with(extension)) continue;
    const auto stem = file_name.substr(0, file_name.size() - extension.size() - 1);
    if (file_name[stem.size()] != '.') continue;
    if (kernels.empty() && ignored.empty()) return true;
    const std::string name(stem);
    return (kernels.empty() || matches_any(kernels, name)) && !matches_any(ignored, name);
  }
  return false;
}

void check(const Criterion& criterion) {
  for (const auto& prefix : criterion.strip)
    if (prefix.empty() || prefix.find_first_of("\"\n\r \t") != std::string::npos)
      throw usage_error("not a prefix of an attribute's name: " + in_quotes(prefix));
  if (criterion.extensions.empty()) throw usage_error("no extension is left");
  for (const auto& extension : criterion.extensions)
    if (extension.empty() || extension.find('/') != std::string::npos)
      throw usage_error("not a file extension: " + in_quotes(extension));
}

}  // namespace zl::ir
