#pragma once
// What a program's end means to its cell, whichever provider started it.

#include "campaign/provider.hpp"

namespace zl::campaign {

/// Status and exit code of a cell whose program ended so; a signal that neither the deadline nor
/// a stop request sent is named in the note. A program that could not be ended takes its device
/// with it: DEVICE_LOST. No rows, no timer.
CellResult ended_cell(const process::Outcome& outcome);

}  // namespace zl::campaign
