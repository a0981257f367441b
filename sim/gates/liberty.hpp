// Mapping to the cells of a liberty file, and what the cells compute.
#pragma once

#include <filesystem>
#include <string>

namespace weft {

/// Copies a liberty file into a folder, under the name that Yosys's commands below have. Throws
/// ConfigError, with the file, if it cannot be read, if Yosys cannot read it as a liberty file, and
/// if it has no inverter, no gate or no flop whose function it states: every netlist needs these.
void copy_liberty(const std::filesystem::path& file, const std::filesystem::path& folder);

/// Yosys's commands from generic gates and flops to tables of three inputs: all gates and flops are
/// mapped to cells, of which then each is replaced by what the file says that it computes. No table
/// is of more than one cell. Names of nets stay.
std::string map_to_cells();

/// Throws ConfigError for a module that Yosys could not map to the cells of a file, as it says in
/// `error`.
[[noreturn]] void throw_not_mapped(const std::filesystem::path& file, const std::string& module,
                                   const std::string& error);

}  // namespace weft
