#pragma once
// The kernels of a tree: an artifact folder, a raw Triton cache, a tar of either, or one file.
// They are told apart by themselves: a folder whose name is a cache key (52 characters of base32
// or 64 hexadecimal digits) is no part of a kernel's name, because keys change with the switch.

#include <string>
#include <string_view>
#include <vector>

#include "ir/criterion.hpp"
#include "ir/kernel_reader.hpp"
#include "process/stop.hpp"

namespace zl::ir {

struct Kernel {
  std::string path;  ///< below the tree, as found
  KernelFacts facts;
};

struct Tree {
  std::string place;  ///< as it was named
  Criterion criterion;
  std::vector<Kernel> kernels;  ///< sorted by path
  bool one_file = false;        ///< a single kernel was named; its path is its file's name

  std::size_t conversions() const;
  /// Over names and digests, whatever the order on disk; 32 hexadecimal digits, "" without any
  /// kernel, which nothing may be compared with.
  std::string fingerprint() const;
  /// Where a kernel stands, for people: PLACE/path, or ARCHIVE:path.
  std::string path_of(const Kernel& kernel) const;
  bool archive = false;
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

/// One kernel's canonical text, read again.
std::string canonical_text(const Tree& tree, const Kernel& kernel);

/// The path without the components that are cache keys.
std::string kernel_name(std::string_view path);
/// The last component that is a cache key; "" without one.
std::string_view cache_key(std::string_view path);
bool is_cache_key(std::string_view component);

}  // namespace zl::ir
