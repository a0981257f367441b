// Engine `model`: packets move as runs of flits (sim/runs).
#include "sim/engine/model_engine.hpp"
#include "sim/engine/run_loop.hpp"

namespace weft {
namespace {

std::uint64_t sum_of(const std::vector<std::uint64_t>& load) {
  return std::accumulate(load.begin(), load.end(), std::uint64_t{0});
}

}  // namespace

// A thread other than the calling one.
template <Endpoint E, class Net>
void RunLoop<E, Net>::work(unsigned thread) {
  const auto [first, end] = division_.parts_of_thread(thread, run_.threads);
  for (;;) {
    gate_.pass();
    if (stops_) return;
    for (unsigned part = first; part < end; ++part) step(part);
    if (!trees()) continue;
    gate_.pass();  // All have read the links between the trees' units.
    for (unsigned part = first; part < end; ++part) publish(part);
  }
}

// Ends the threads, which wait for the next cycle.
template <Endpoint E, class Net>
void RunLoop<E, Net>::stop() {
  if (workers_.empty()) return;
  stops_ = true;
  gate_.open();
  workers_.clear();
}

template <Endpoint E, class Net>
void RunLoop<E, Net>::step_all() {
  const bool many = !workers_.empty();
  const auto [first, end] = division_.parts_of_thread(0, run_.threads);
  if (many) gate_.open();
  for (unsigned part = first; part < end; ++part) step(part);
  if (many) gate_.await();
  if (!trees()) return;
  if (many) gate_.open();
  for (unsigned part = first; part < end; ++part) publish(part);
  if (many) gate_.await();
}

// The threads wait for each other, so an error is kept until all of them have ended the cycle.
template <Endpoint E, class Net>
void RunLoop<E, Net>::step(unsigned part) {
  PartState& t = own(part);
  t.rank = Rank::kOfNode;
  try {
    t.powers.begin(cycle_);
    if (!alone()) take_mail(part);
    if (trees()) step_trees(part);
    t.nodes.step(cycle_, t.sums);
    t.rank = Rank::kLater;
    t.network.step(cycle_);
    t.nodes.take_news(cycle_, t.sums);
  } catch (const NotByRuns&) {
    t.error = std::current_exception();
    if (t.rank == Rank::kOfNode) t.rank = Rank::kNotByRuns;
  } catch (...) {
    t.error = std::current_exception();
  }
}

template <Endpoint E, class Net>
void RunLoop<E, Net>::step_trees(unsigned part) {
  std::uint32_t at = 0;
  const auto read = [&](std::uint32_t n, std::uint32_t address, FlitData& word) {
    own(part).nodes.read(n, address, word, cycle_);
  };
  for (const auto& [first, end] : division_.nodes[part].ranges()) {
    if (barriers_) barriers_->step(first, end, cycle_, at);
    if (combines_) combines_->step(first, end, cycle_, at, read);
  }
}

template <Endpoint E, class Net>
void RunLoop<E, Net>::publish(unsigned part) {
  PartState& t = own(part);
  try {
    const auto released = [&](std::uint32_t n) { t.nodes.released(n, cycle_ + 1); };
    const auto write = [&](std::uint32_t n, std::uint32_t address, const FlitData& word) {
      t.nodes.write(n, address, word, cycle_);
    };
    for (const auto& [first, end] : division_.nodes[part].ranges()) {
      if (barriers_) barriers_->publish(first, end, cycle_ + 1, t.counters, released);
      if (combines_) combines_->publish(first, end, cycle_ + 1, t.counters, write, released);
    }
  } catch (...) {
    if (!t.error) t.error = std::current_exception();
  }
}

// Calls `use` with the network of each out-port and its number.
template <Endpoint E, class Net>
template <class Use>
void RunLoop<E, Net>::each_port(Use use) {
  const Graph& graph = run_.graph;
  for (std::uint32_t b = 0; b < graph.blocks.size(); ++b) {
    if (!division_.owns_block(b)) continue;
    const Block& block = graph.blocks[b];
    for (std::uint32_t p = block.first_out; p < block.first_out + block.num_out; ++p) {
      use(own(division_.of_block[b]).network, p);
    }
  }
}

// The digests of the regions before this cycle's step.
template <Endpoint E, class Net>
void RunLoop<E, Net>::add_region_digests() {
  each_port([this](Net& network, std::uint32_t p) { network.count_before(p, cycle_, false); });
  settle();
  for (std::uint32_t r = 0; r < run_.traffic->partition().regions(); ++r) {
    region_digests_.push_back(parts_[0]->packets.digest(r));
  }
  each_port([this](Net& network, std::uint32_t p) { network.count_before(p, cycle_, true); });
}

// What is certain for the end of the run and later is taken back.
template <Endpoint E, class Net>
void RunLoop<E, Net>::end() {
  take_all_mail();
  const auto end_nodes = [this] {
    for (const auto& part : parts_) part->nodes.end(cycle_, part->sums);
  };
  run_.part != nullptr ? together(run_.part->ranks(), end_nodes) : end_nodes();
  if (run_.probes.regions() != nullptr && region_digests_.empty()) add_region_digests();
  each_port([this](Net& network, std::uint32_t p) { network.end(p, cycle_); });
  ++cycle_;
  if (run_.part != nullptr) {
    write_mail(shared_->to());
    read_mail(shared_->exchange());
  }
  take_all_mail();
  settle();
}

template <Endpoint E, class Net>
void RunLoop<E, Net>::collect(Outcome& outcome) {
  end();
  outcome.link_load = network_.load();
  for (const auto& part : parts_) {
    outcome.counters += part->counters;
    outcome.counters.digest.add_value(part->packets.digest());
    outcome.counters.packets += part->network.packets();
    outcome.sums += part->sums;
  }
  outcome.counters.flit_hops = sum_of(outcome.link_load);
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

template <Endpoint E, class Net>
Outcome RunLoop<E, Net>::run() {
  Outcome outcome;
  EndOfRun end(run_);
  std::uint64_t running = run_.graph.nodes;
  std::uint64_t combined = 0;
  const std::uint64_t measured_end =
      run_.probes.regions() != nullptr ? run_.traffic->end() : ~std::uint64_t{0};
  const auto counts_of = [this](std::uint32_t region) { return counts(region); };
  const auto no_progress = [this](bool acted) { return stalled(acted); };
  const auto state = [&](auto& archive) {
    archive(cycle_, running, combined, end);
    archive_state(archive);
  };
  if (run_.checkpoint != nullptr) {
    run_.checkpoint->set_cut(division_.hash());
    run_.checkpoint->load(state);
    outcome.hops_before = sum_of(network_.load());
  }
  begin_ = cycle_;
  start_threads();
  const auto start = Clock::now();
  for (;;) {
    Totals now = totals();
    if (run_.part != nullptr) share(now);
    if (now.errors != 0) throw_error();
    save_if_due(run_, cycle_, end.stops(cycle_, now.interrupts != 0), state);
    if (now.moves != 0 || now.running != running || now.combined != combined) end.moved(cycle_);
    combined = now.combined;
    running = now.running;
    if (cycle_ == measured_end) add_region_digests();
    if (end.reached(cycle_, static_cast<std::uint32_t>(running), now.dropped != 0, counts_of,
                    no_progress)) {
      break;
    }
    if (cycle_ >= kMostCycles) throw NotByRuns("too many cycles");
    if (now.moves == 0 && run_.watch == nullptr) {
      const auto limit = static_cast<Cycle>(
          std::min<std::uint64_t>(end.next(cycle_, now.dropped != 0), kMostCycles));
      const Cycle next =
          shared_ ? static_cast<Cycle>(std::min<std::uint64_t>(limit, cycle_ + now.quiet.cycles()))
                  : next_event(limit);
      if (next > cycle_) {
        skip_to(next);
        continue;
      }
    }
    step_all();
    ++cycle_;
  }
  outcome.wall_s = seconds_since(start);
  outcome.cycles = cycle_;
  outcome.stopped = end.stopped();
  for (const auto& part : parts_) outcome.faults.put += part->nodes.faults_put(cycle_);
  outcome.faults.struck = outcome.faults.put;  // Each in one flit.
  if (std::string note = end.note(); !note.empty()) outcome.notes.push_back(std::move(note));
  stop();
  collect(outcome);
  return outcome;
}

template <Endpoint E, class Net>
void RunLoop<E, Net>::start_threads() {
  if (run_.threads == 1) return;
  try {
    for (unsigned thread = 1; thread < run_.threads; ++thread) {
      workers_.emplace_back([this, thread] { work(thread); });
    }
  } catch (...) {
    gate_.await_only(static_cast<std::uint32_t>(workers_.size()));
    throw;
  }
  gate_.await();
}

Outcome run_by_runs(const RunParts& run) {
  return std::visit(
      [&]<class E>(PartArray<E>& endpoints) {
        if (run.graph.has_routers()) {
          return RunLoop<E, RunNetwork>(run, endpoints, run.config.nic.in_order.value_or(false))
              .run();
        }
        return RunLoop<E, RunCrossbars>(run, endpoints, run.config.nic.controllers).run();
      },
      run.endpoints);
}

}  // namespace weft
