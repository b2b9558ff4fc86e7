#pragma once
// Generated code out of a Triton cache, kept beside the figures that it gave.

#include <filesystem>

namespace zl::campaign {

/// Copies KEY/*.ttgir and KEY/<kernel>.json (metadata) of every finished entry of a Triton cache
/// to `to`, which it replaces; returns the number of ttgir files. The keys stay, since a key that
/// both sides share means that the switch is no part of it.
std::size_t harvest_ir(const std::filesystem::path& triton_cache, const std::filesystem::path& to);

}  // namespace zl::campaign
