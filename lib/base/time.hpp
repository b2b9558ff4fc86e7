#pragma once
// Wall-clock times as the rows carry them. Durations are always measured on the steady clock;
// the wall clock only labels.

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

namespace zl {

using WallTime = std::chrono::sys_time<std::chrono::milliseconds>;

WallTime wall_now();
/// RFC 3339 in UTC with milliseconds: 2026-08-21T10:04:05.678Z
std::string format_time(WallTime time);
/// The inverse (fraction optional, offset `Z` only); nothing where the text is no such time.
std::optional<WallTime> parse_time(std::string_view text);

/// Seconds on the steady clock, from an arbitrary start.
double steady_s();

/// 75 -> "1m15s", for progress lines and reports.
std::string format_duration(double seconds);

}  // namespace zl
