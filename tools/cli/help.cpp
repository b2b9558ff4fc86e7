#include "cli/help.hpp"

#include "base/text.hpp"
#include "formats/rows.hpp"

namespace zl::cli {

namespace {

constexpr std::size_t width = 80;
constexpr std::size_t indent = 26;

/// `text` broken at blanks, every line but the first indented.
void append_wrapped(std::string& out, std::size_t at, const std::string& text, std::size_t margin) {
  for (const auto word : split(text, ' ')) {
    if (at + 1 + word.size() > width && at > margin) {
      out += "\n" + std::string(margin, ' ');
      at = margin;
    } else if (at > margin) {
      out += ' ';
      ++at;
    }
    out += word;
    at += word.size();
  }
  out += '\n';
}

/// Long name and, where there is one, the letter.
std::pair<std::string, std::string> names_of(const Option& option) {
  const auto comma = option.names.find(',');
  if (comma == std::string::npos) return {option.names, ""};
  return {option.names.substr(0, comma), option.names.substr(comma + 1)};
}

void append_group(std::string& out, const OptionGroup& group) {
  out += "\n" + group.title + ":\n";
  for (const auto& option : group.options) {
    const auto [name, letter] = names_of(option);
    std::string head = letter.empty() ? "      --" : "  -" + letter + ", --";
    head += name;
    if (!option.argument.empty()) head += " " + option.argument;
    if (option.repeatable) head += " ...";
    out += head;
    if (head.size() + 2 > indent)
      out += "\n" + std::string(indent, ' ');
    else
      out += std::string(indent - head.size(), ' ');
    append_wrapped(out, indent, option.help, indent);
  }
}

}  // namespace

std::string help_text(const Spec& spec, const OptionGroup& common) {
  std::string out;
  for (const auto& form : spec.synopsis) {
    const auto head = (out.empty() ? "Usage: " : "       ") + spec.name + " ";
    out += head;
    append_wrapped(out, head.size(), form, head.size());
  }
  append_wrapped(out, 0, spec.summary, 0);
  for (const auto& group : spec.groups) append_group(out, group);
  append_group(out, common);
  if (!spec.details.empty()) out += "\n" + spec.details;
  return out;
}

std::string option_table(const Spec& spec, const OptionGroup& common) {
  std::string table;
  const auto add = [&](const OptionGroup& group) {
    for (const auto& option : group.options) {
      const auto [name, letter] = names_of(option);
      table +=
          formats::tsv_line({group.title, name, letter, option.argument,
                             option.repeatable ? "repeatable" : "", option.help, option.values});
    }
  };
  for (const auto& group : spec.groups) add(group);
  add(common);
  if (!spec.operands.empty()) table += formats::tsv_line({"", "", "", spec.operands, "", "", ""});
  return table;
}

}  // namespace zl::cli
