#include "ir/tree.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "base/error.hpp"
#include "base/parallel.hpp"
#include "base/text.hpp"
#include "ir/archive.hpp"

namespace zl::ir {

namespace {

/// Kernels whose paths are held before they are read.
constexpr std::size_t batch_size = 4096;

/// Lists the kernels below a folder and reads them, batch by batch.
class FolderReader {
 public:
  /// With a summary, kernels are added to it and forgotten.
  FolderReader(Tree& tree, const ReadOptions& options, TreeSummary* summary)
      : tree_(tree), options_(options), summary_(summary), fingerprint_(tree.criterion) {}

  void run() {
    list("");
    read_batch();
    if (summary_ != nullptr) summary_->fingerprint = fingerprint_.hex();
  }

 private:
  std::string absolute(std::string_view path) const {
    return tree_.place + "/" + std::string(path);
  }

  void check_stop() const {
    if (options_.stop.requested()) throw environment_error("interrupted");
  }

  [[noreturn]] void fail(const std::string& path) const {
    throw input_error({printable(absolute(path)), 0, 0},
                      std::string("cannot be read: ") + std::strerror(errno));
  }

  /// `path` is below the tree, with a last slash.
  void list(const std::string& path) {
    check_stop();
    DIR* dir = ::opendir(absolute(path).c_str());
    if (dir == nullptr) fail(path);
    const std::unique_ptr<DIR, int (*)(DIR*)> closer(dir, ::closedir);
    struct stat self {};
    if (::fstat(::dirfd(dir), &self) != 0) fail(path);
    const std::pair identity{self.st_dev, self.st_ino};
    if (std::find(above_.begin(), above_.end(), identity) != above_.end()) return;
    above_.push_back(identity);
    for (;;) {
      errno = 0;
      const dirent* entry = ::readdir(dir);
      if (entry == nullptr) break;
      take(path, ::dirfd(dir), *entry);
    }
    if (errno != 0) fail(path);
    above_.pop_back();
  }

  void take(const std::string& folder, int dir, const dirent& entry) {
    const std::string_view name = entry.d_name;
    if (name == "." || name == "..") return;
    const bool kernel = tree_.criterion.is_kernel(name);
    auto type = entry.d_type;
    if (type == DT_UNKNOWN || type == DT_LNK) {
      struct stat status {};
      if (::fstatat(dir, entry.d_name, &status, 0) != 0) {
        if (kernel) fail(folder + entry.d_name);
        return;  // a dangling link to something that is no code
      }
      type = S_ISDIR(status.st_mode) ? DT_DIR : DT_REG;
    }
    if (type == DT_DIR) {
      if (!name.starts_with("tmp.pid_")) list(folder + entry.d_name + "/");
    } else if (kernel) {
      tree_.kernels.push_back({tree_.paths.add(folder + entry.d_name), {}});
      if (tree_.kernels.size() - read_ == batch_size) read_batch();
    }
  }

  void read_batch() {
    const auto first = read_;
    read_ = tree_.kernels.size();
    if (options_.names_only) return;
    parallel_for(read_ - first, options_.threads, [&]() -> std::function<void(std::size_t)> {
      const auto reader = std::make_shared<KernelReader>(tree_.criterion, options_.stop);
      return [this, first, reader](std::size_t i) {
        check_stop();
        auto& kernel = tree_.kernels[first + i];
        kernel.facts = reader->read_file(absolute(kernel.path));
      };
    });
    if (summary_ == nullptr) return;
    for (const auto& kernel : tree_.kernels) {
      fingerprint_.add(kernel);
      summary_->conversions += kernel.facts.conversions;
    }
    summary_->kernels += tree_.kernels.size();
    tree_.kernels.clear();
    tree_.paths.clear();
    read_ = 0;
  }

  Tree& tree_;
  const ReadOptions& options_;
  TreeSummary* summary_;
  Fingerprint fingerprint_;
  std::size_t read_ = 0;                        ///< kernels that have been read
  std::vector<std::pair<dev_t, ino_t>> above_;  ///< the folders that lead here
};

template <typename Visit>
void each_component(std::string_view path, const Visit& visit) {
  while (!path.empty()) {
    const auto slash = std::min(path.find('/'), path.size());
    visit(path.substr(0, slash), slash == path.size());
    path.remove_prefix(std::min(slash + 1, path.size()));
  }
}

/// Takes the next component that belongs to a name off the front of a path.
std::string_view next_part(std::string_view& path) {
  for (;;) {
    const auto slash = std::min(path.find('/'), path.size());
    const bool last = slash == path.size();
    const auto part = path.substr(0, slash);
    path.remove_prefix(last ? slash : slash + 1);
    if (last || !is_cache_key(part)) return part;
  }
}

}  // namespace

std::string_view PathStore::add(std::string_view path) {
  if (used_ + path.size() > size_) {
    size_ = std::max<std::size_t>(path.size(), std::size_t{64} << 10U);
    used_ = 0;
    blocks_.push_back(std::make_unique_for_overwrite<char[]>(size_));
  }
  char* to = blocks_.back().get() + used_;
  path.copy(to, path.size());
  used_ += path.size();
  return {to, path.size()};
}

void PathStore::clear() {
  blocks_.clear();
  used_ = size_ = 0;
}

void Fingerprint::add(const Kernel& kernel) {
  hasher_.reset();
  hasher_.add(kernel_name(kernel.path) + '\0' + kernel.facts.digest.hex());
  const auto digest = hasher_.digest();
  sum_.low += digest.low;
  sum_.high += digest.high + (sum_.low < digest.low ? 1 : 0);
  ++count_;
}

std::string Fingerprint::hex() {
  if (count_ == 0) return "";
  hasher_.reset();
  hasher_.add(sum_.hex() + std::to_string(count_));
  return hasher_.digest().hex();
}

bool is_cache_key(std::string_view component) {
  if (component.size() == 52)
    return std::all_of(component.begin(), component.end(),
                       [](char c) { return (c >= 'A' && c <= 'Z') || (c >= '2' && c <= '7'); });
  return component.size() == 64 && std::all_of(component.begin(), component.end(), [](char c) {
           return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
         });
}

std::string kernel_name(std::string_view path) {
  std::string name;
  name.reserve(path.size());
  each_component(path, [&](std::string_view component, bool last) {
    if (!last && is_cache_key(component)) return;
    name += component;
    if (!last) name += '/';
  });
  return name;
}

int compare_names(std::string_view a, std::string_view b) {
  while (!a.empty() && !b.empty()) {
    const int order = next_part(a).compare(next_part(b));
    if (order != 0) return order;
  }
  return static_cast<int>(!a.empty()) - static_cast<int>(!b.empty());
}

std::string_view cache_key(std::string_view path) {
  std::string_view key;
  each_component(path, [&](std::string_view component, bool last) {
    if (!last && is_cache_key(component)) key = component;
  });
  return key;
}

std::size_t Tree::conversions() const {
  std::size_t sum = 0;
  for (const auto& kernel : kernels) sum += kernel.facts.conversions;
  return sum;
}

std::string Tree::fingerprint() const {
  Fingerprint result(criterion);
  for (const auto& kernel : kernels) result.add(kernel);
  return result.hex();
}

std::string Tree::path_of(const Kernel& kernel) const {
  if (one_file) return place;
  return place + (archive ? ":" : place.ends_with('/') ? "" : "/") + std::string(kernel.path);
}

namespace {

/// Fills the tree, unsorted; with a summary, a folder's kernels go there instead.
void fill(Tree& tree, const ReadOptions& options, TreeSummary* summary) {
  check(tree.criterion);
  const auto& place = tree.place;
  struct stat status {};
  if (::stat(place.c_str(), &status) != 0)
    throw input_error({printable(place), 0, 0},
                      std::string("cannot be read: ") + std::strerror(errno));
  const std::string file = place.substr(place.rfind('/') + 1);
  Criterion extensions;
  extensions.extensions = tree.criterion.extensions;
  if (S_ISDIR(status.st_mode)) {
    FolderReader(tree, options, summary).run();
  } else if (extensions.is_kernel(file)) {
    tree.one_file = true;
    if (tree.criterion.is_kernel(file))
      tree.kernels.push_back(
          {tree.paths.add(file), KernelReader(tree.criterion, options.stop).read_file(place)});
  } else {
    tree.archive = true;
    read_archive(tree, options);
  }
}

}  // namespace

Tree read_tree(const std::string& place, const Criterion& criterion, const ReadOptions& options) {
  Tree tree;
  tree.place = place;
  tree.criterion = criterion;
  fill(tree, options, nullptr);
  std::sort(tree.kernels.begin(), tree.kernels.end(), [](const Kernel& a, const Kernel& b) {
    const int order = compare_names(a.path, b.path);
    return order != 0 ? order < 0 : a.path < b.path;
  });
  return tree;
}

TreeSummary summarise_tree(const std::string& place, const Criterion& criterion,
                           const ReadOptions& options) {
  Tree tree;
  tree.place = place;
  tree.criterion = criterion;
  TreeSummary summary;
  fill(tree, options, &summary);
  if (tree.one_file || tree.archive)
    summary = {tree.fingerprint(), tree.kernels.size(), tree.conversions()};
  return summary;
}

std::string canonical_text(const Tree& tree, const Kernel& kernel) {
  if (tree.archive) return archive_text(tree, std::string(kernel.path));
  std::string text;
  KernelReader(tree.criterion).read_file(tree.path_of(kernel), &text);
  return text;
}

}  // namespace zl::ir
