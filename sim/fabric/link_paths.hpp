// The links of a fabric that have blocks in them, or faults on their wires.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "sim/base/archive.hpp"
#include "sim/fabric/link_blocks.hpp"
#include "sim/fabric/wires.hpp"
#include "sim/topology/graph.hpp"

namespace weft {

/// The wires of links on which faults are put, between two cycles.
class FaultyLinks {
 public:
  /// What goes forward on a link, and what comes back: credits, Buffer-Full or a word of a
  /// protected link.
  struct Faulty {
    LinkWord& forward;
    std::vector<std::uint64_t>& back;
  };
  virtual ~FaultyLinks() = default;
  /// To be called before the faults of a cycle: takes what the ends of all links with faults drive.
  virtual void begin_faults() = 0;
  virtual Faulty faulty(std::uint32_t link) = 0;
  /// To be called after the faults of a cycle: puts what they have changed on the wires.
  virtual void end_faults() = 0;
};

/// The blocks of each link that has blocks or faults, from end to end. As in the fabric, `step`
/// reads the wires and `publish` puts the outputs on them; several threads may share either.
class LinkPaths : public FaultyLinks {
 public:
  /// `parity`: flits carry parity.
  LinkPaths(const Graph& graph, Wires& wires, bool parity, MakeLinkBlock make);

  /// Steps the blocks in the links out of blocks `first` to `end` - 1; calls `stepped(link)` before
  /// each link.
  template <class Stepped>
  void step(std::uint32_t first, std::uint32_t end, Stepped stepped) {
    for (std::uint32_t i = first_[first]; i < first_[end]; ++i) {
      Path& path = paths_[i];
      if (!path.injected) load(path);
      path.steps = path.injected || !at_rest(path);
      if (!path.steps) continue;
      stepped(path.link);
      for (std::size_t b = 0; b < path.blocks.size(); ++b) {
        path.blocks[b]->step(path.forward[b], path.back[b + 1].data());
      }
    }
  }
  /// Puts what leaves the links out of blocks `first` to `end` - 1 on the wires.
  void publish(std::uint32_t first, std::uint32_t end);

  void begin_faults() override;
  Faulty faulty(std::uint32_t link) override {
    Path& path = paths_[path_[link]];
    return {path.forward[path.wire], path.back[path.back_wire]};
  }
  /// Shows the ends of links without blocks what the faults have changed.
  void end_faults() override;

  /// Resets the blocks; `graph`: the network from then on.
  void restart(const Graph& graph);

  /// Counts of the blocks of all links.
  LinkCounts counts() const;
  /// Links whose sender repeats in vain.
  std::vector<std::uint32_t> stuck() const;

  /// Checkpoint state of a link.
  template <class Archive>
  void archive_link(Archive& archive, std::uint32_t link) {
    if (path_[link] == kOpen) return;
    Path& path = paths_[path_[link]];
    archive(path.steps, path.forward, path.back);
    for (std::size_t at = 0; at < path.back.size(); ++at) {
      archive.require(fits(path.back[at], path.lines[at]));
    }
    next_block(archive, static_cast<std::uint32_t>(first_.size() - 1 + link));
    for (const auto& block : path.blocks) block->serialize(archive);
  }
  /// Checkpoint state of all links together: counts from before the last restart.
  LinkCounts& counted_before() { return before_; }

 private:
  struct Path {
    std::uint32_t link = 0, port = 0;  // The link's number, and its sender's out-port.
    bool injected = false;             // The link may have faults.
    bool steps = false;
    std::uint32_t wire = 0, back_wire = 0;
    std::vector<std::unique_ptr<LinkBlock>> blocks;
    std::vector<LinkWord> forward;                 // By place: before each block, and behind the
                                                   // last.
    std::vector<std::vector<std::uint64_t>> back;  // By place: lines back.
    std::vector<std::size_t> words;                // By place: words of `back`.
    std::vector<unsigned> lines;                   // By place: number of lines back.
  };

  void make_blocks(const LinkChain& chain, Path& path) const;
  void load(Path& path);
  void show(const Path& path);
  static bool at_rest(const Path& path);

  Wires& wires_;
  const bool protected_, parity_;
  const MakeLinkBlock make_;
  LinkCounts before_;                 // Counted before the last restart.
  std::vector<std::uint32_t> first_;  // By block: its first path.
  std::vector<std::uint32_t> path_;   // By link: index of its path; kOpen: none.
  std::vector<Path> paths_;
};

}  // namespace weft
