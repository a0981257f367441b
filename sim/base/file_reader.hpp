// Reading of files that a user names.
#pragma once

#include <filesystem>
#include <string>

namespace weft {

/// How a file is read.
struct Reading {
  unsigned memory_per_byte = 1;  ///< Memory that each of its bytes takes, once it is understood.
  bool pipe = false;             ///< A pipe of the command line will do, which is read once.
};

/// Whether a path is that of a descriptor of this process, as /dev/stdout, or a pipe of the command
/// line.
bool is_open_already(const std::filesystem::path& file);

/// What is in a file, or why it cannot be read.
struct FileText {
  std::string text;
  std::string error;  ///< Empty: it was read.
};

/// Reads a whole file. Not read are folders, devices, pipes with a name, on which a reader waits
/// until there is a writer, and files for which the memory does not suffice (host_memory).
FileText try_read_file(const std::filesystem::path& file, const Reading& how = {});

/// The same; throws ConfigError, "FILE: cannot be read: " and the reason.
std::string read_file(const std::filesystem::path& file, const Reading& how = {});

}  // namespace weft
