#include "ir/archive.hpp"

#include <archive.h>
#include <archive_entry.h>
#include <sys/stat.h>

#include <map>
#include <memory>

#include "base/error.hpp"
#include "base/text.hpp"

namespace zl::ir {

namespace {

/// `./a//b/../c` as `a/c`; nothing above the tar's own top.
std::string plain_path(std::string_view path) {
  std::vector<std::string> parts;
  for (const auto part : split(path, '/')) {
    if (part.empty() || part == ".") continue;
    if (part != "..")
      parts.emplace_back(part);
    else if (!parts.empty())
      parts.pop_back();
  }
  return join(parts, "/");
}

std::string text_of(const char* text) {
  return text != nullptr ? text : "";
}

class Reader {
 public:
  explicit Reader(const std::string& place)
      : place_(place), archive_(::archive_read_new(), ::archive_read_free) {
    if (!archive_) throw std::bad_alloc();
    // Named one by one: only what is named is linked into a static build.
    ::archive_read_support_filter_gzip(archive_.get());
    ::archive_read_support_filter_bzip2(archive_.get());
    ::archive_read_support_filter_xz(archive_.get());
    ::archive_read_support_format_tar(archive_.get());
    // Names are bytes here; a locale's character set must not get in their way.
    ::archive_read_set_options(archive_.get(), "hdrcharset=BINARY");
    if (::archive_read_open_filename(archive_.get(), place.c_str(), 1U << 16U) != ARCHIVE_OK)
      fail("is neither a folder nor a tar");
  }

  /// The next member; null at the end.
  archive_entry* next() {
    archive_entry* entry = nullptr;
    const int status = ::archive_read_next_header(archive_.get(), &entry);
    if (status == ARCHIVE_EOF) return nullptr;
    if (status < ARCHIVE_WARN) fail(seen_ ? "is damaged" : "is neither a folder nor a tar");
    seen_ = true;
    return entry;
  }

  std::size_t read(char* to, std::size_t size) {
    const auto got = ::archive_read_data(archive_.get(), to, size);
    if (got < 0) fail("is damaged");
    return static_cast<std::size_t>(got);
  }

 private:
  [[noreturn]] void fail(const char* what) const {
    const char* detail = ::archive_error_string(archive_.get());
    throw input_error(
        {printable(place_), 0, 0},
        std::string(what) + (detail != nullptr ? ": " + printable(detail) : std::string()));
  }

  std::string place_;
  std::unique_ptr<archive, int (*)(archive*)> archive_;
  bool seen_ = false;
};

bool is_left_over(const std::string& path) {
  return path.starts_with("tmp.pid_") || path.find("/tmp.pid_") != std::string::npos;
}

/// `before/` where all paths begin with it and none was written as `./…`.
std::string_view common_top(const Tree& tree, bool dotted) {
  if (dotted || tree.kernels.empty()) return "";
  const auto first = tree.kernels.front().path;
  const auto top = first.substr(0, first.find('/') + 1);
  if (top.empty() || is_cache_key(top.substr(0, top.size() - 1))) return "";
  for (const auto& kernel : tree.kernels)
    if (!kernel.path.starts_with(top)) return "";
  return top;
}

bool is_link(archive_entry* entry) {
  return ::archive_entry_hardlink(entry) != nullptr || ::archive_entry_filetype(entry) == AE_IFLNK;
}

bool is_file(archive_entry* entry) {
  return is_link(entry) || ::archive_entry_filetype(entry) == AE_IFREG;
}

std::string link_target(archive_entry* entry, const std::string& path) {
  if (const char* hard = ::archive_entry_hardlink(entry)) return plain_path(hard);
  const auto target = text_of(::archive_entry_symlink(entry));
  const auto slash = path.rfind('/');
  const auto folder = slash == std::string::npos ? "" : path.substr(0, slash + 1);
  return plain_path(target.starts_with("/") ? target : folder + target);
}

}  // namespace

void read_archive(Tree& tree, const ReadOptions& options) {
  Reader reader(tree.place);
  KernelReader kernels(tree.criterion, options.stop);
  std::map<std::string_view, std::size_t> members;  // path to index
  std::map<std::size_t, std::string> links;         // index to the path it stands for
  bool dotted = false;
  while (archive_entry* entry = reader.next()) {
    if (options.stop.requested()) throw environment_error("interrupted");
    const auto raw = text_of(::archive_entry_pathname(entry));
    const auto path = plain_path(raw);
    dotted = dotted || raw.starts_with("./");
    const auto name = std::string_view(path).substr(path.rfind('/') + 1);
    if (!tree.criterion.is_kernel(name) || is_left_over(path)) continue;
    if (!is_file(entry)) continue;
    const bool link = is_link(entry);
    auto found = members.find(path);
    if (found == members.end()) {
      tree.kernels.push_back({tree.paths.add(path), {}});
      found = members.emplace(tree.kernels.back().path, tree.kernels.size() - 1).first;
    }
    links.erase(found->second);
    if (link)
      links[found->second] = link_target(entry, path);
    else
      tree.kernels[found->second].facts =
          kernels.read(printable(tree.place + ":" + path),
                       [&](char* to, std::size_t size) { return reader.read(to, size); });
  }
  for (const auto& [index, target] : links) {
    auto found = members.find(target);
    for (int steps = 0; found != members.end() && links.contains(found->second); ++steps)
      found = steps < 8 ? members.find(links[found->second]) : members.end();
    if (found == members.end())
      throw input_error({printable(tree.place + ":" + std::string(tree.kernels[index].path)), 0, 0},
                        "is a link to " + in_quotes(target) + ", which is no kernel in the tar");
    tree.kernels[index].facts = tree.kernels[found->second].facts;
  }
  tree.archive_top = common_top(tree, dotted);
  for (auto& kernel : tree.kernels) kernel.path.remove_prefix(tree.archive_top.size());
}

std::string archive_text(const Tree& tree, const std::string& path) {
  std::string wanted = tree.archive_top + path;
  // A link is followed by reading again; links to links are rare enough.
  for (int steps = 0; steps < 8; ++steps) {
    Reader reader(tree.place);
    KernelReader kernels(tree.criterion);
    std::string text, link;
    bool found = false;
    while (archive_entry* entry = reader.next()) {
      const auto here = plain_path(text_of(::archive_entry_pathname(entry)));
      if (here != wanted || !is_file(entry)) continue;
      text.clear();
      found = true;
      const bool linked = is_link(entry);
      link = linked ? link_target(entry, here) : "";
      if (!linked)
        kernels.read(
            printable(tree.place + ":" + here),
            [&](char* to, std::size_t size) { return reader.read(to, size); }, &text);
    }
    if (found && link.empty()) return text;
    wanted = link;
  }
  throw input_error({printable(tree.place + ":" + path), 0, 0}, "is no longer there");
}

}  // namespace zl::ir
