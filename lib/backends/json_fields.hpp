#pragma once
// Vendors' JSON, whose keys vary in case and blanks by version and whose values are numbers,
// strings or objects of value and unit. Inside the backends room only.

#include <boost/json/fwd.hpp>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>

#include "backends/backend.hpp"
#include "backends/quantity.hpp"

namespace zl::backends {

/// A member by the first of several names, compared without case and without blanks around them;
/// null where none is there, or where `value` is no object.
const boost::json::value* member(const boost::json::value* value,
                                 std::initializer_list<std::string_view> names);

/// A scalar as text; of an object of value and unit, both. "" for anything else and for null.
std::string text_of(const boost::json::value* value);

/// The first of several members that reads as a quantity.
std::optional<double> quantity_of(const boost::json::value* value,
                                  std::initializer_list<std::string_view> names, Unit unit);

/// The first document in what a tool printed, whatever stands before and after it. Throws
/// Error(environment) naming the tool and what it said.
boost::json::value parse_answer(const std::string& tool, const process::Outcome& outcome);

/// Samples in the order of the devices asked for (all, where none are), with a warning for each
/// that is missing.
void arrange(std::span<const Device> devices, const std::string& tool, SampleSet& set);

}  // namespace zl::backends
