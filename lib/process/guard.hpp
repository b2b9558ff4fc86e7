#pragma once
// The guard: a small process that outlives this one by a moment, and ends whatever this process
// started when it is gone, however it went (kill -9 included).

#include <sys/types.h>

#include <string>

#include "base/unique_fd.hpp"

namespace zl::process {

/// While it lives, every program started through this room carries a marker in its environment.
/// When this object goes, or this process dies, every process that carries the marker is killed.
/// Construct it before starting threads; one at a time.
class Guard {
 public:
  Guard();
  ~Guard();
  Guard(const Guard&) = delete;
  Guard& operator=(const Guard&) = delete;

 private:
  pid_t pid_ = -1;
  UniqueFd alive_;  ///< the guard sees its end closed when we are gone
};

/// Kills (SIGKILL) and buries adopted children (see adopt_orphans) whose environment holds
/// `NAME=value`: processes that left their group and outlived their parent. Returns how many; one
/// that does not die within two seconds is left.
std::size_t end_strays(const std::string& name, const std::string& value);

constexpr const char* guard_variable = "ZL_GUARD_ID";

}  // namespace zl::process
