#pragma once
// Whole files: reading, atomic replacement, locked appending, locks that die with their holder,
// and the mapping of names from data to names on disk.

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "base/unique_fd.hpp"

namespace zl {

/// All bytes of a file. Throws Error(environment) naming the path and the reason.
std::string read_file(const std::filesystem::path& path);
/// As read_file; nothing where the file does not exist or cannot be read. Throws where the
/// process has no descriptor or memory left for it.
std::optional<std::string> try_read_file(const std::filesystem::path& path);

/// Replaces (or creates) a file whole: written aside in the same folder, synced, renamed, and
/// the folder synced. After a crash at any moment the old or the new content stands there.
void replace_file(const std::filesystem::path& path, std::string_view content);

/// Writes all of `content` to a descriptor; a short or refused write (full disk) throws.
void write_all(int fd, std::string_view content, const std::filesystem::path& name);

/// Appends whole lines under a lock, so that several writers never mix their lines.
class AppendFile {
 public:
  /// Opens or creates; throws Error(environment).
  explicit AppendFile(std::filesystem::path path);
  /// Appends `lines`, preceded by `header` when the file is still empty. What a killed writer
  /// left of a line at the end is closed with a newline first. All of it in one write.
  void append(std::string_view header, std::string_view lines) const;
  void sync() const;

 private:
  std::filesystem::path path_;
  UniqueFd fd_;
};

/// An exclusive flock on a file, given up when the holder ends, however it ends.
class FileLock {
 public:
  /// Nothing when another process holds it. The content of the file names the holder's pid.
  static std::optional<FileLock> try_acquire(const std::filesystem::path& path);

 private:
  explicit FileLock(UniqueFd fd) : fd_(std::move(fd)) {}
  UniqueFd fd_;
};

/// Creates a folder and its parents. Throws Error(environment).
void make_folders(const std::filesystem::path& path);

/// The folder for files of the moment: TMPDIR (or TMP, TEMP, TEMPDIR), else /tmp. Throws
/// Error(environment) where it is no folder.
std::filesystem::path temporary_folder();

/// A name from data as one path component: bytes that could leave the folder, hide the entry or
/// upset a terminal are written `%XX`; ordinary operator names stay as they are. Reversible.
std::string path_component(std::string_view name);
/// The inverse of path_component.
std::string name_from_component(std::string_view component);

}  // namespace zl
