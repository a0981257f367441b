// The data of flits that are inside routers as gates.
#pragma once

#include <bit>
#include <cstdint>
#include <vector>

#include "sim/base/huge_pages.hpp"
#include "sim/gates/netlist.hpp"

namespace weft {

/// What a router's gates know of the data of flits. Control looks at some bits of a header as it
/// arrives; everything else only passes through. So lanes may have, in place of the data, a number
/// for each flit that is inside the router.
struct PayloadForm {
  std::vector<std::uint32_t> bits = {};  ///< Bits of word 0 that lanes get: of control, and number.
  unsigned lsb = 0, width = 0;           ///< Of the number in word 0; width 0: lanes have all data.
  /// First of as many bits of word 0 as were asked for that lanes do not get; kApart: there are
  /// none that follow each other.
  unsigned sides_lsb = 0;
  static constexpr unsigned kApart = 64;
};

/// The netlist of a router, with data of `data_w` bits on its links, without the gates and flops
/// for the data, but for a number below `numbers`. If there is no room for the number, the netlist
/// stays as it is, and the form has width 0. `sides`: see PayloadForm.
PayloadForm take_payload(Netlist& netlist, unsigned data_w, unsigned num_ports,
                         std::uint32_t numbers, unsigned sides);

/// The data of the flits inside some routers.
class PayloadTable {
 public:
  PayloadTable() = default;
  /// `numbers`: flits that may be inside a router at the same time.
  PayloadTable(std::uint32_t lanes, std::uint32_t numbers, unsigned flit_words);

  /// A number for a flit that enters router `lane`. Throws std::logic_error if all are in use.
  std::uint32_t take(std::uint32_t lane) {
    // The lowest that is free: so few lines of the cache are used while there is little traffic.
    std::uint64_t* const free = &free_[std::size_t{lane} * free_words_];
    std::uint32_t word = 0;
    while (free[word] == 0) {
      if (++word == free_words_) [[unlikely]]
        none_free();
    }
    const auto bit = static_cast<std::uint32_t>(std::countr_zero(free[word]));
    free[word] &= free[word] - 1;
    return word * 64 + bit;
  }
  /// The words of the flit with a number.
  std::uint64_t* data(std::uint32_t lane, std::uint64_t number) {
    return &data_[(std::size_t{lane} * numbers_ + number) * flit_words_];
  }
  /// The flit has left the router. Its words stay until another one gets its number.
  void give_back(std::uint32_t lane, std::uint64_t number) {
    free_[std::size_t{lane} * free_words_ + number / 64] |= std::uint64_t{1} << number % 64;
  }
  /// All routers are empty.
  void clear();

 private:
  [[noreturn]] static void none_free();

  std::uint32_t numbers_ = 0, free_words_ = 0, flit_words_ = 0;
  std::vector<std::uint64_t> free_;  // [lane][word].
  LargeArray<std::uint64_t> data_;   // [lane][number][word].
};

}  // namespace weft
