// Messages between the parts of a network.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "sim/spans/line.hpp"
#include "sim/spans/saved.hpp"

namespace weft {

/// What one part tells another in a cycle; the other applies it at the beginning of the next one.
/// Counts of flits before a cycle do not change within that cycle, so this is soon enough.
struct alignas(64) Mail {
  /// Flits granted into a channel of the other part, or out of a channel of which the other part
  /// has a mirror (network_state.hpp).
  struct Flits {
    std::uint32_t channel;  ///< Channel of the other part.
    std::uint32_t packet;
    Cycle start;  ///< Cycle of the first flit; one follows in each cycle.
    std::uint16_t count;
    bool begins;  ///< The flits do not follow the previous ones without a break.
    bool header;  ///< The first flit is a header.

    template <class Archive>
    void serialize(Archive& archive) {
      archive(channel, packet, start, count, begins, header);
    }
  };
  /// A term of the digest: flits `first` to `end` - 1 of a packet whose destination is in the other
  /// part.
  struct Term {
    std::uint64_t factor;
    std::uint32_t packet;
    std::uint16_t vc, first, end;

    template <class Archive>
    void serialize(Archive& archive) {
      archive(factor, packet, vc, first, end);
    }
  };

  std::vector<Flits> in, out;
  std::vector<Term> terms;
  std::vector<std::uint32_t> freed;  ///< Packets that the other part made and this one frees.
  /// Packets to the other part whose bodies are complete; only if it is in another process.
  std::vector<std::uint32_t> bodies;

  bool empty() const {
    return in.empty() && out.empty() && terms.empty() && freed.empty() && bodies.empty();
  }
  void clear() {
    in.clear();
    out.clear();
    terms.clear();
    freed.clear();
    bodies.clear();
  }

  template <class Archive>
  void serialize(Archive& archive) {
    archive_lists(archive, in, out, terms, freed, bodies);
  }
};

/// The mail from and to the own parts of a process, of the present cycle and the one before.
class Mailboxes {
 public:
  /// Own parts are `first` to `end` - 1.
  Mailboxes(unsigned parts, unsigned first, unsigned end)
      : parts_(parts),
        first_(first),
        own_(end - first),
        sent_(std::size_t{2} * own_ * parts),
        received_(own_ == parts ? 0 : std::size_t{2} * parts * own_) {}

  unsigned parts() const { return parts_; }
  /// Mail that own part `from` writes in `cycle`, by receiving part.
  Mail* of(unsigned from, Cycle cycle) {
    return &sent_[(std::size_t{cycle % 2} * own_ + (from - first_)) * parts_];
  }
  /// Mail that part `from` writes in `cycle` to an own part.
  Mail& to(unsigned part, unsigned from, Cycle cycle) {
    if (from - first_ < own_) return of(from, cycle)[part];
    return received_[(std::size_t{cycle % 2} * parts_ + from) * own_ + (part - first_)];
  }

  /// Whether the own parts wrote nothing in `cycle`.
  bool quiet(Cycle cycle) {
    const Mail* const first = of(first_, cycle);
    return std::all_of(first, first + std::size_t{own_} * parts_,
                       [](const Mail& mail) { return mail.empty(); });
  }
  void clear() {
    for (Mail& mail : sent_) mail.clear();
    for (Mail& mail : received_) mail.clear();
  }

  /// State of a checkpoint before `cycle`: what own part `part` was told by the first `parts`
  /// parts. The other parts tell nothing.
  template <class Archive>
  void archive_to(Archive& archive, unsigned part, unsigned parts, Cycle cycle) {
    for (unsigned from = 0; from < parts; ++from) archive(to(part, from, cycle - 1));
  }

 private:
  unsigned parts_, first_, own_;
  std::vector<Mail> sent_, received_;
};

}  // namespace weft
