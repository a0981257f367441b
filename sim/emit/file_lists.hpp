// Lists of the files of an emitted network in the forms that other tools read.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace weft {

/// Texts of weft_top.f (simulators: options and files), weft_lint.f (also with the waivers of
/// Verilator's lint), weft_top.core (FuseSoC) and Bender.yml (Bender), by name. `files`: those of
/// the network, in an order in which they can be compiled; `bench`: those of its testbench. All are
/// relative to the folder of the lists.
std::map<std::string, std::string> file_lists(const std::vector<std::string>& files,
                                              const std::vector<std::string>& bench);

}  // namespace weft
