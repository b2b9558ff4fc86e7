#pragma once
// The one place that meets Boost.Process v2: start a program, hand back its pid. Inside the
// process room only.

#include <sys/types.h>

#include <string>
#include <vector>

namespace zl::process {

struct Launch {
  std::string executable;                ///< path, already looked up
  std::vector<std::string> argv;         ///< argv[0] is passed over: the program sees `executable`
  std::vector<std::string> environment;  ///< NAME=value
  std::string folder;                    ///< "" keeps the current one
  int in = 0, out = 1, err = 2;          ///< descriptors that become 0, 1 and 2
  bool own_group = true;
  bool die_with_thread = false;  ///< SIGKILL when the starting thread ends first
};

/// Starts it and returns its pid, which is then the caller's to wait for. The child leads a
/// process group of its own, has default signal actions and no other descriptor of ours.
/// Throws Error(environment) naming the program.
pid_t launch(const Launch& request);

}  // namespace zl::process
