#pragma once
// The exit statuses of every tool, and the only place where an error becomes one.

#include "base/error.hpp"

namespace zl::cli {

enum ExitStatus : int {
  exit_done = 0,         ///< done; the answer is yes or same
  exit_different = 1,    ///< the answer is no or different, as cmp and grep say it
  exit_bad_input = 2,    ///< bad usage or bad input
  exit_environment = 3,  ///< the surroundings failed
  exit_caliber = 4,      ///< two runs must not be compared
  exit_incomplete = 5,   ///< finished, but some operators failed
  exit_signal_base = 128,
};

inline int exit_status(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::usage:
    case ErrorKind::input:
      return exit_bad_input;
    case ErrorKind::environment:
      return exit_environment;
    case ErrorKind::caliber:
      return exit_caliber;
  }
  return exit_environment;
}

}  // namespace zl::cli
