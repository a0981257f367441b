// JSON documents from files, and changes to them from the command line.
#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <string>

namespace weft {

/// Reads a JSON file, or one from a pipe of the command line. Throws ConfigError naming the file
/// and, where the text is not JSON, line and column, or the JSON pointer of what is nested too
/// deeply or of a duplicate key.
nlohmann::json read_document(const std::filesystem::path& file);

/// Reads a document from a text, as read_document from a file; `name` stands for the file.
nlohmann::json parse_document(const std::string& text, const std::string& name);

/// Applies "path=value" and returns the path as a JSON pointer. Missing objects on the path are
/// created; an index of a list may be its length, which adds an element; the value null removes a
/// key. Throws ConfigError naming the argument.
std::string apply_set(nlohmann::json& document, const std::string& set);

}  // namespace weft
