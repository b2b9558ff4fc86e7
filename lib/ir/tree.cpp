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

struct Folder {
  std::string path;  ///< below the tree, with a last slash; "" for the tree
  std::vector<std::pair<dev_t, ino_t>> above;  ///< itself and the folders that lead here
};

/// Lists the kernels' paths below a folder.
class Walk {
 public:
  Walk(Tree& tree, const ReadOptions& options) : tree_(tree), options_(options) {}

  void run() {
    pending_.push_back({"", {}});
    while (!pending_.empty()) {
      if (options_.stop.requested()) throw environment_error("interrupted");
      auto folder = std::move(pending_.back());
      pending_.pop_back();
      list(folder);
    }
  }

 private:
  std::string absolute(const std::string& path) const { return tree_.place + "/" + path; }

  [[noreturn]] void fail(const std::string& path) const {
    throw input_error({printable(absolute(path)), 0, 0},
                      std::string("cannot be read: ") + std::strerror(errno));
  }

  void list(Folder& folder) {
    DIR* dir = ::opendir(absolute(folder.path).c_str());
    if (dir == nullptr) fail(folder.path);
    const std::unique_ptr<DIR, int (*)(DIR*)> closer(dir, ::closedir);
    struct stat self {};
    if (::fstat(::dirfd(dir), &self) != 0) fail(folder.path);
    const std::pair identity{self.st_dev, self.st_ino};
    if (std::find(folder.above.begin(), folder.above.end(), identity) != folder.above.end()) return;
    folder.above.push_back(identity);
    for (;;) {
      errno = 0;
      const dirent* entry = ::readdir(dir);
      if (entry == nullptr) break;
      take(folder, ::dirfd(dir), *entry);
    }
    if (errno != 0) fail(folder.path);
  }

  void take(const Folder& folder, int dir, const dirent& entry) {
    const std::string_view name = entry.d_name;
    if (name == "." || name == "..") return;
    const bool kernel = tree_.criterion.is_kernel(name);
    auto type = entry.d_type;
    if (type == DT_UNKNOWN || type == DT_LNK) {
      struct stat status {};
      if (::fstatat(dir, entry.d_name, &status, 0) != 0) {
        if (kernel) fail(folder.path + entry.d_name);
        return;  // a dangling link to something that is no code
      }
      type = S_ISDIR(status.st_mode) ? DT_DIR : DT_REG;
    }
    if (type == DT_DIR) {
      if (!name.starts_with("tmp.pid_"))
        pending_.push_back({folder.path + entry.d_name + "/", folder.above});
    } else if (kernel) {
      tree_.kernels.push_back({folder.path + entry.d_name, {}});
    }
  }

  Tree& tree_;
  const ReadOptions& options_;
  std::vector<Folder> pending_;
};

void read_folder(Tree& tree, const ReadOptions& options) {
  Walk(tree, options).run();
  if (options.names_only) return;
  parallel_for(tree.kernels.size(), options.threads, [&]() -> std::function<void(std::size_t)> {
    const auto reader = std::make_shared<KernelReader>(tree.criterion);
    return [&tree, &options, reader](std::size_t i) {
      if (options.stop.requested()) throw environment_error("interrupted");
      tree.kernels[i].facts = reader->read_file(tree.place + "/" + tree.kernels[i].path);
    };
  });
}

template <typename Visit>
void each_component(std::string_view path, const Visit& visit) {
  while (!path.empty()) {
    const auto slash = std::min(path.find('/'), path.size());
    visit(path.substr(0, slash), slash == path.size());
    path.remove_prefix(std::min(slash + 1, path.size()));
  }
}

}  // namespace

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
  if (kernels.empty()) return "";
  // Names are hashed, so that a tree of any size is sorted in 32 bytes a kernel.
  std::vector<std::pair<Digest, Digest>> entries;
  entries.reserve(kernels.size());
  const auto seed = criterion.seed();
  Hasher hasher(seed);
  for (const auto& kernel : kernels) {
    hasher.reset();
    hasher.add(kernel_name(kernel.path));
    entries.emplace_back(hasher.digest(), kernel.facts.digest);
  }
  std::sort(entries.begin(), entries.end());
  hasher.reset();
  for (const auto& [name, digest] : entries) hasher.add(name.hex() + digest.hex());
  return hasher.digest().hex();
}

std::string Tree::path_of(const Kernel& kernel) const {
  if (one_file) return place;
  return place + (archive ? ":" : place.ends_with('/') ? "" : "/") + kernel.path;
}

Tree read_tree(const std::string& place, const Criterion& criterion, const ReadOptions& options) {
  check(criterion);
  Tree tree;
  tree.place = place;
  tree.criterion = criterion;
  struct stat status {};
  if (::stat(place.c_str(), &status) != 0)
    throw input_error({printable(place), 0, 0},
                      std::string("cannot be read: ") + std::strerror(errno));
  const std::string file = place.substr(place.rfind('/') + 1);
  if (S_ISDIR(status.st_mode)) {
    read_folder(tree, options);
  } else if (Criterion named{criterion.extensions, {}, {}, {}}; named.is_kernel(file)) {
    tree.one_file = true;
    if (criterion.is_kernel(file))
      tree.kernels.push_back({file, KernelReader(criterion).read_file(place)});
  } else {
    tree.archive = true;
    read_archive(tree, options);
  }
  std::sort(tree.kernels.begin(), tree.kernels.end(),
            [](const Kernel& a, const Kernel& b) { return a.path < b.path; });
  return tree;
}

std::string canonical_text(const Tree& tree, const Kernel& kernel) {
  if (tree.archive) return archive_text(tree, kernel.path);
  std::string text;
  KernelReader(tree.criterion).read_file(tree.path_of(kernel), &text);
  return text;
}

}  // namespace zl::ir
