#pragma once
// FlagGems' records: one object an operator and dtype (`--record log`), and the report of a whole
// run (`--record json`), which Python writes with NaN and Infinity where there was no number.

#include <boost/json/fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "formats/run_log.hpp"

namespace zl::formats {

/// Whether the object is one record: it has `op_name` and `result`.
bool is_record(const boost::json::value& value);

/// Appends the rows of one record; `line` is where it stands. What is no row is dropped by name.
void append_record(const boost::json::value& record, std::size_t line, Diagnostics& diagnostics,
                   std::vector<MeasuredRow>& rows);

/// Appends the rows of a report; an operator whose result is not `passed` goes to `failures`.
void append_report(const boost::json::value& report, Diagnostics& diagnostics,
                   std::vector<MeasuredRow>& rows);

/// Python's NaN, Infinity and -Infinity outside strings as null, byte positions kept where a
/// blank precedes them.
std::string json_from_python(std::string_view text);

}  // namespace zl::formats
