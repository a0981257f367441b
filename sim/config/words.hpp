// Values of a configuration as it writes them, for summaries.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "sim/config/key.hpp"
#include "sim/packet/packet.hpp"

namespace weft {

/// The word for a value; the number itself where there is none.
std::string word_of(std::span<const Word> words, std::uint64_t value);

std::string name_of(ReduceType type);
std::string name_of(ReduceOp op);
/// `nic.gap`: a number of packet times, or a name.
std::string gap_in_words(unsigned gap);

}  // namespace weft
