#pragma once
// Trees inside a tar, read by libarchive without unpacking. Inside the ir room only.

#include <string>

#include "ir/tree.hpp"

namespace zl::ir {

/// Fills tree.kernels. A tar made of one folder (`tar cf x.tar before`) is that folder's tree; of
/// two members of one path the later one counts, as it does when unpacking; links are resolved
/// within the tar. Throws Error(input) for what is no tar, damaged, or a link that leads nowhere.
void read_archive(Tree& tree, const ReadOptions& options);

/// One member's canonical text.
std::string archive_text(const Tree& tree, const std::string& path);

}  // namespace zl::ir
