// The links of a fabric that have blocks in them, or faults on their wires.
#include "sim/fabric/link_paths.hpp"

#include <algorithm>

namespace weft {
namespace {

bool any(const std::vector<std::uint64_t>& words) {
  return std::any_of(words.begin(), words.end(), [](std::uint64_t word) { return word != 0; });
}

}  // namespace

std::unique_ptr<LinkBlock> make_link_model(const LinkBlockConfig& config) {
  return std::visit(
      []<class Form>(const Form& form) -> std::unique_ptr<LinkBlock> {
        return std::make_unique<LinkBlockOf<typename Form::Block>>(form.config);
      },
      config);
}

LinkPaths::LinkPaths(const Graph& graph, Wires& wires, bool parity, MakeLinkBlock make)
    : wires_(wires),
      protected_(graph.protection != Protection::kNone),
      parity_(parity),
      make_(make),
      path_(graph.links.size(), kOpen) {
  first_.reserve(graph.blocks.size() + 1);
  for (const Block& block : graph.blocks) {
    first_.push_back(static_cast<std::uint32_t>(paths_.size()));
    for (std::uint32_t p = block.first_out; p < block.first_out + block.num_out; ++p) {
      const std::uint32_t l = graph.out_link[p];
      if (l == kOpen || !graph.two_ends(graph.links[l])) continue;
      const LinkChain chain = link_chain(graph, l, parity);
      path_[l] = static_cast<std::uint32_t>(paths_.size());
      Path& path = paths_.emplace_back();
      path.link = l;
      path.port = p;
      path.injected = graph.links[l].injected;
      path.wire = chain.wire;
      path.back_wire = chain.back_wire;
      path.lines = chain.lines;
      make_blocks(chain, path);
      for (std::size_t at = 0; at <= chain.blocks.size(); ++at) {
        const std::size_t lines = (chain.lines[at] + 63) / 64;
        path.words.push_back(lines);
        path.back.emplace_back(std::max(lines, wires.credit_words));
      }
    }
  }
  first_.push_back(static_cast<std::uint32_t>(paths_.size()));
}

void LinkPaths::make_blocks(const LinkChain& chain, Path& path) const {
  path.blocks.clear();
  for (const LinkBlockConfig& config : chain.blocks) path.blocks.push_back(make_(config));
  path.forward.assign(chain.blocks.size() + 1, {});
}

void LinkPaths::restart(const Graph& graph) {
  before_ = counts();
  for (Path& path : paths_) {
    make_blocks(link_chain(graph, path.link, parity_), path);
    for (auto& back : path.back) std::fill(back.begin(), back.end(), std::uint64_t{0});
  }
}

// Takes what the sender and the receiver drive.
void LinkPaths::load(Path& path) {
  const std::uint32_t from = wires_.flit_place[path.link];
  const std::uint32_t to = wires_.credit_place[path.port];
  path.forward.front() = {wires_.valid[from] != 0 ? wires_.flit[from] : Flit{}, 0};
  std::vector<std::uint64_t>& back = path.back.back();
  if (wires_.credit_words == 0) {
    back[0] = wires_.full[to];
  } else {
    std::copy_n(wires_.credit.data() + to * wires_.credit_words, wires_.credit_words, back.data());
  }
}

// Puts what the ends read on the wires.
void LinkPaths::show(const Path& path) {
  const Flit& flit = path.forward.back().flit;
  wires_.flit[path.link] = flit;
  wires_.valid[path.link] = flit.valid ? 1 : 0;
  const std::vector<std::uint64_t>& back = path.back.front();
  if (wires_.credit_words == 0) {
    wires_.full[path.port] = static_cast<std::uint8_t>(back[0] & 1);
  } else {
    std::copy_n(back.data(), wires_.credit_words,
                wires_.credit.data() + path.port * wires_.credit_words);
  }
}

bool LinkPaths::at_rest(const Path& path) {
  return !path.forward.front().flit.valid && !any(path.back.back()) &&
         std::all_of(path.blocks.begin(), path.blocks.end(),
                     [](const auto& block) { return block->quiet(); });
}

void LinkPaths::publish(std::uint32_t first, std::uint32_t end) {
  for (std::uint32_t i = first_[first]; i < first_[end]; ++i) {
    Path& path = paths_[i];
    if (!path.steps || path.blocks.empty()) continue;
    for (std::size_t b = 0; b < path.blocks.size(); ++b) {
      const LinkBlock::Out out = path.blocks[b]->out();
      path.forward[b + 1] = {out.tx, out.check};
      std::copy_n(out.back, path.words[b], path.back[b].data());
    }
    show(path);
  }
}

void LinkPaths::begin_faults() {
  for (Path& path : paths_) {
    if (path.injected) load(path);
  }
}

void LinkPaths::end_faults() {
  for (Path& path : paths_) {
    if (!path.injected) continue;
    Flit& flit = path.forward[path.wire].flit;
    // An unprotected receiver reads the other wires only with Data-Valid.
    if (!protected_ && !flit.valid) flit = {};
    if (path.blocks.empty()) show(path);
  }
}

LinkCounts LinkPaths::counts() const {
  LinkCounts all = before_;
  for (const Path& path : paths_) {
    for (const auto& block : path.blocks) all += block->counts();
  }
  return all;
}

std::vector<std::uint32_t> LinkPaths::stuck() const {
  std::vector<std::uint32_t> links;
  for (const Path& path : paths_) {
    if (std::any_of(path.blocks.begin(), path.blocks.end(),
                    [](const auto& block) { return block->stuck(); })) {
      links.push_back(path.link);
    }
  }
  return links;
}

}  // namespace weft
