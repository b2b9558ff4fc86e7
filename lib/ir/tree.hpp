#pragma once
// The kernels of a tree: an artifact folder, a raw Triton cache, a tar of either, or one file.
// They are told apart by themselves: a folder whose name is a cache key (52 characters of base32
// or 64 hexadecimal digits) is no part of a kernel's name, because keys change with the switch.

#include <deque>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "ir/criterion.hpp"
#include "ir/kernel_reader.hpp"
#include "process/stop.hpp"

namespace zl::ir {

/// Bytes of many paths, without an allocation for each; views into it stay valid when it moves.
class PathStore {
 public:
  std::string_view add(std::string_view path);
  void clear();

 private:
  std::vector<std::unique_ptr<char[]>> blocks_;
  std::size_t used_ = 0, size_ = 0;
};

struct Kernel {
  std::string_view path;  ///< below the tree, as found; lives in the tree
  KernelFacts facts;
};

/// Over names and digests in any order: a sum of 128-bit hashes, so that no tree is too large.
class Fingerprint {
 public:
  explicit Fingerprint(const Criterion& criterion) : hasher_(criterion.seed()) {}
  void add(const Kernel& kernel);
  /// 32 hexadecimal digits; "" without any kernel, which nothing may be compared with.
  std::string hex();

 private:
  Hasher hasher_;
  Digest sum_;
  std::uint64_t count_ = 0;
};

struct Tree {
  std::string place;  ///< as it was named
  Criterion criterion;
  PathStore paths;
  std::deque<Kernel> kernels;  ///< sorted by name, then path
  bool one_file = false;       ///< a single kernel was named; its path is its file's name
  bool archive = false;
  std::string archive_top;  ///< the folder that all paths in the tar begin with, with a slash

  std::size_t conversions() const;
  std::string fingerprint() const;
  /// Where a kernel stands, for people: PLACE/path, or ARCHIVE:path.
  std::string path_of(const Kernel& kernel) const;
};

/// What a row about a whole tree says.
struct TreeSummary {
  std::string fingerprint;
  std::size_t kernels = 0, conversions = 0;
};

struct ReadOptions {
  unsigned threads = 1;
  bool names_only = false;  ///< lists the kernels of a folder without reading them
  process::StopToken stop;  ///< ends with Error(environment) "interrupted"
};

/// Reads a folder (links are followed, a link that leads back is passed over; what a killed
/// compiler left in tmp.pid_… is passed over), a tar with or without compression, or one kernel's
/// file. Throws Error(input) naming what cannot be read.
Tree read_tree(const std::string& place, const Criterion& criterion,
               const ReadOptions& options = {});

/// The same without keeping any name: memory does not depend on the folder.
TreeSummary summarise_tree(const std::string& place, const Criterion& criterion,
                           const ReadOptions& options = {});

/// One kernel's canonical text, read again.
std::string canonical_text(const Tree& tree, const Kernel& kernel);

/// The path without the components that are cache keys.
std::string kernel_name(std::string_view path);
/// Orders paths by kernel_name, without making it: negative, 0 or positive.
int compare_names(std::string_view a, std::string_view b);
/// The last component that is a cache key; "" without one.
std::string_view cache_key(std::string_view path);
bool is_cache_key(std::string_view component);

}  // namespace zl::ir
