// Engine `model`: packets move as spans (sim/spans).
#include "sim/engine/span_loop.hpp"

#include "sim/engine/model_engine.hpp"

namespace weft {

template <class Net>
void SpanLoop<Net>::step(unsigned thread) {
  const auto [first, end] = division_.parts_of_thread(thread, run_.threads);
  for (unsigned part = first; part < end; ++part) step_part(part);
}

template <class Net>
void SpanLoop<Net>::publish(unsigned thread) {
  const auto [first, end] = division_.parts_of_thread(thread, run_.threads);
  for (unsigned part = first; part < end; ++part) publish_part(part);
}

template <class Net>
void SpanLoop<Net>::step_part(unsigned part) {
  PartState& t = own(part);
  t.precedence = ErrorPrecedence::kOfNode;
  try {
    t.powers.begin(now());
    if (!alone()) take_mail(part, now());
    if (trees()) step_trees(part);
    t.nodes->step(now(), t.sums);
    t.precedence = ErrorPrecedence::kLater;
    t.network.step(now());
    t.nodes->take_news(now(), t.sums);
  } catch (const NotBySpans&) {
    t.error = std::current_exception();
    if (t.precedence == ErrorPrecedence::kOfNode) t.precedence = ErrorPrecedence::kNotBySpans;
  } catch (...) {
    t.error = std::current_exception();
  }
}

template <class Net>
void SpanLoop<Net>::step_trees(unsigned part) {
  std::uint32_t at = 0;
  const auto read = [&](std::uint32_t n, std::uint32_t address, FlitData& word) {
    own(part).nodes->read(n, address, word, now());
  };
  for (const auto& [first, end] : division_.nodes[part].ranges()) {
    if (barriers_) barriers_->step(first, end, now(), at);
    if (combines_) combines_->step(first, end, now(), at, read);
  }
}

template <class Net>
void SpanLoop<Net>::publish_part(unsigned part) {
  PartState& t = own(part);
  try {
    const auto released = [&](std::uint32_t n) { t.nodes->released(n, now() + 1); };
    const auto write = [&](std::uint32_t n, std::uint32_t address, const FlitData& word) {
      t.nodes->write(n, address, word, now());
    };
    for (const auto& [first, end] : division_.nodes[part].ranges()) {
      if (barriers_) barriers_->publish(first, end, now() + 1, t.counters, released);
      if (combines_) combines_->publish(first, end, now() + 1, t.counters, write, released);
    }
  } catch (...) {
    if (!t.error) t.error = std::current_exception();
  }
}

// Calls `use` with the network of each out-port and its number.
template <class Net>
template <class Use>
void SpanLoop<Net>::each_port(Use use) {
  const Graph& graph = run_.graph;
  for (std::uint32_t b = 0; b < graph.blocks.size(); ++b) {
    if (!division_.owns_block(b)) continue;
    const Block& block = graph.blocks[b];
    for (std::uint32_t p = block.first_out; p < block.first_out + block.num_out; ++p) {
      use(own(division_.of_block[b]).network, p);
    }
  }
}

// Adds the digests of the regions before this cycle's step.
template <class Net>
void SpanLoop<Net>::add_region_digests() {
  each_port([this](Net& network, std::uint32_t p) { network.count_before(p, now(), false); });
  settle();
  for (std::uint32_t r = 0; r < run_.traffic->partition().regions(); ++r) {
    region_digests_.push_back(parts_[0]->packets.digest(r));
  }
  each_port([this](Net& network, std::uint32_t p) { network.count_before(p, now(), true); });
}

template <class Net>
bool SpanLoop<Net>::prepare(const LoopTotals&) {
  if (cycle() >= kMostCycles) throw NotBySpans("too many cycles");
  if (run_.probes.regions() != nullptr && cycle() == run_.traffic->end()) add_region_digests();
  return false;
}

// Brings all to the end of the run: what was counted ahead for later cycles is taken back.
template <class Net>
void SpanLoop<Net>::end() {
  take_all_mail(now());
  const auto end_nodes = [this] {
    for (const auto& part : parts_) part->nodes->end(now(), part->sums);
  };
  together(run_.share.processes(), end_nodes);
  if (run_.probes.regions() != nullptr && region_digests_.empty()) add_region_digests();
  each_port([this](Net& network, std::uint32_t p) { network.end(p, now()); });
  if (shared_) {
    write_mail(shared_->to(), now());
    read_mail(shared_->exchange(), now());
  }
  take_all_mail(now() + 1);
  settle();
}

template <class Net>
std::uint64_t SpanLoop<Net>::flit_hops() const {
  const std::vector<std::uint64_t> load = network_.load();
  return std::accumulate(load.begin(), load.end(), std::uint64_t{0});
}

template <class Net>
void SpanLoop<Net>::collect(Outcome& outcome) {
  end();
  outcome.link_load = network_.load();
  for (const auto& part : parts_) {
    outcome.counters += part->counters;
    outcome.counters.digest.add_value(part->packets.digest());
    outcome.counters.packets += part->network.packets();
    outcome.sums += part->sums;
  }
  outcome.counters.flit_hops = flit_hops();
  const std::uint32_t links = run_.graph.nic_links;
  for (const std::uint32_t n : division_.own) {
    for (std::uint32_t p = n * links; p < (n + 1) * links; ++p) {
      outcome.counters.flits += outcome.link_load[run_.graph.out_link[p]];
    }
  }
  outcome.region_digests = region_digests_;
  if (nodes_.record) {
    for (const std::uint32_t n : division_.own) {
      outcome.arrivals.push_back(std::move(nodes_.arrivals[n]));
    }
  }
  collect_nodes(
      division_.own, [&](std::uint32_t n) { return nodes_.nodes[n].status; },
      [&](std::uint32_t n) { return nodes_.nodes[n].window_flits; },
      barriers_ ? barriers_->times() : nodes_.message_barriers, outcome);
}

Outcome run_spans(const EngineInputs& run) {
  if (run.graph.has_routers()) {
    return SpanLoop<SpanNetwork>(run, run.config.nic.in_order.value_or(false)).run();
  }
  return SpanLoop<SpanCrossbars>(run, run.config.nic.controllers).run();
}

}  // namespace weft
