#pragma once
// Asking a vendor's command: in the C locale, under a deadline, its whole group ended when it
// hangs; and what went wrong, told apart.

#include <string>
#include <string_view>
#include <vector>

#include "backends/backend.hpp"
#include "process/process.hpp"

namespace zl::backends {

/// Runs argv and returns what it said, whatever its exit status. Throws Error(environment): not
/// installed, no answer in time, or interrupted.
process::Outcome ask(const Surroundings& surroundings, std::vector<std::string> argv);

/// Runs a vendor's command and kills what it left in the background, be it in a session of its
/// own, which is seen where the process adopts orphans (process::adopt_orphans).
process::Outcome run_tool(process::Command command, const process::Limits& limits,
                          const process::StopToken& stop);

/// Whether a tool is there to be asked.
bool is_installed(const Surroundings& surroundings, const std::string& tool);

/// The first line that holds more than blanks and rules, trimmed and cut to 200 bytes; "" where
/// there is none.
std::string first_line(std::string_view text);

/// ", exit status 9" or ""; for messages about an outcome.
std::string status_text(const process::Outcome& outcome);

/// What a tool said about its failure, the first line of stdout, else of stderr, with its status.
std::string complaint(const process::Outcome& outcome);

/// Throws Error(usage) listing the names when a sampler is forced that is none of them.
void check_sampler_name(const Surroundings& surroundings, const std::vector<std::string>& known);

/// The part of `text` from the first line that begins a JSON document: banners and warnings
/// stand before it. "" where there is none.
std::string_view json_part(std::string_view text);

}  // namespace zl::backends
