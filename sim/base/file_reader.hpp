// Reading of files that a user names.
#pragma once

#include <filesystem>
#include <string>

namespace weft {

/// How a file is read.
struct Reading {
  unsigned memory_per_byte = 1;  ///< Memory per byte of the file once its text is processed.
  bool pipe = false;             ///< A pipe of the command line is accepted; it is read once.
};

/// Whether a path is that of a descriptor of this process, like /dev/stdout, or a pipe of the
/// command line.
bool is_open_already(const std::filesystem::path& file);

/// Contents of a file, or why it cannot be read.
struct FileText {
  std::string text;
  std::string error;  ///< Empty: the file was read.
};

/// Reads a whole file. Refuses folders, devices, named pipes, on which a reader waits until there
/// is a writer, and files for which the memory does not suffice (host_memory).
FileText try_read_file(const std::filesystem::path& file, const Reading& how = {});

/// Reads a whole file, as try_read_file. Throws ConfigError, "FILE: cannot be read: " and the
/// reason.
std::string read_file(const std::filesystem::path& file, const Reading& how = {});

}  // namespace weft
