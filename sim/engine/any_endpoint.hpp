// One virtual interface for all types of endpoint, for engines whose cycles cost far more than a
// virtual call.
#pragma once

#include <memory>
#include <string>

#include "sim/base/node_set.hpp"
#include "sim/base/part_array.hpp"
#include "sim/workload/endpoint.hpp"

namespace weft {

class Endpoints;

/// Refers to an endpoint of any type, which must outlive it; itself an Endpoint.
class AnyEndpoint {
 public:
  static constexpr bool kTimed = true;

  template <Endpoint E>
  explicit AnyEndpoint(E& endpoint) : endpoint_(std::make_unique<Of<E>>(endpoint)) {}

  void read_flit(std::uint32_t addr, std::uint64_t* words) { endpoint_->read_flit(addr, words); }
  void write_flit(std::uint32_t link, std::uint32_t addr, const FlitData& data) {
    endpoint_->write_flit(link, addr, data);
  }
  std::uint64_t read_word(std::uint32_t addr) { return endpoint_->read_word(addr); }
  /// Continues before `cycle`, after the state of the endpoint was loaded: for endpoints that have
  /// state outside it. `status`: of the interface.
  void load(const NicStatus& status, std::uint64_t cycle) { endpoint_->load(status, cycle); }
  void step(const NicStatus& status, std::uint64_t cycle, RegionSums& sums) {
    endpoint_->step(status, cycle, sums);
  }
  void step_on(const NicStatus& status, std::uint64_t cycle, RegionSums& sums) {
    endpoint_->step_on(status, cycle, sums);
  }
  std::uint64_t wake() const { return endpoint_->wake(); }
  bool arrive(std::uint32_t link, const Flit& flit, std::uint64_t cycle, RegionSums& sums) {
    return endpoint_->arrive(link, flit, cycle, sums);
  }
  bool posted() const { return endpoint_->posted(); }
  const Descriptor& descriptor() const { return endpoint_->descriptor(); }
  bool entered() const { return endpoint_->entered(); }
  bool combines() const { return endpoint_->combines(); }
  CombineOrder combine_order() const { return endpoint_->combine_order(); }
  void note_barriers(std::uint32_t node, std::uint64_t cycle, BarrierTimes& times) const {
    endpoint_->note_barriers(node, cycle, times);
  }
  bool resting() const { return endpoint_->resting(); }
  bool done() const { return endpoint_->done(); }
  bool acts_later(std::uint64_t cycle) { return endpoint_->acts_later(cycle); }
  std::uint64_t pauses(std::uint64_t cycle) const { return endpoint_->pauses(cycle); }
  void skip(std::uint64_t cycle, std::uint32_t cycles) { endpoint_->skip(cycle, cycles); }
  void check() const { endpoint_->check(); }
  void drive(Nic::In& in) const { endpoint_->drive(in); }
  NodeView view() const { return endpoint_->view(); }
  std::string describe() const { return endpoint_->describe(); }

 private:
  struct Interface {
    virtual ~Interface() = default;
    virtual void read_flit(std::uint32_t addr, std::uint64_t* words) = 0;
    virtual void write_flit(std::uint32_t link, std::uint32_t addr, const FlitData& data) = 0;
    virtual std::uint64_t read_word(std::uint32_t addr) = 0;
    virtual void load(const NicStatus& status, std::uint64_t cycle) = 0;
    virtual void step(const NicStatus& status, std::uint64_t cycle, RegionSums& sums) = 0;
    virtual void step_on(const NicStatus& status, std::uint64_t cycle, RegionSums& sums) = 0;
    virtual std::uint64_t wake() const = 0;
    virtual bool arrive(std::uint32_t link, const Flit& flit, std::uint64_t cycle,
                        RegionSums& sums) = 0;
    virtual bool posted() const = 0;
    virtual const Descriptor& descriptor() const = 0;
    virtual bool entered() const = 0;
    virtual bool combines() const = 0;
    virtual CombineOrder combine_order() const = 0;
    virtual void note_barriers(std::uint32_t node, std::uint64_t cycle,
                               BarrierTimes& times) const = 0;
    virtual bool resting() const = 0;
    virtual bool done() const = 0;
    virtual bool acts_later(std::uint64_t cycle) = 0;
    virtual std::uint64_t pauses(std::uint64_t cycle) const = 0;
    virtual void skip(std::uint64_t cycle, std::uint32_t cycles) = 0;
    virtual void check() const = 0;
    virtual void drive(Nic::In& in) const = 0;
    virtual NodeView view() const = 0;
    virtual std::string describe() const = 0;
  };

  template <Endpoint E>
  struct Of final : Interface {
    explicit Of(E& endpoint) : e(endpoint) {}
    void read_flit(std::uint32_t addr, std::uint64_t* words) override { e.read_flit(addr, words); }
    void write_flit(std::uint32_t link, std::uint32_t addr, const FlitData& data) override {
      e.write_flit(link, addr, data);
    }
    std::uint64_t read_word(std::uint32_t addr) override { return e.read_word(addr); }
    void load([[maybe_unused]] const NicStatus& status,
              [[maybe_unused]] std::uint64_t cycle) override {
      if constexpr (requires { e.load(status, cycle); }) e.load(status, cycle);
    }
    void step(const NicStatus& status, std::uint64_t cycle, RegionSums& sums) override {
      e.step(status, cycle, sums);
    }
    void step_on(const NicStatus& status, std::uint64_t cycle, RegionSums& sums) override {
      e.step_on(status, cycle, sums);
    }
    std::uint64_t wake() const override { return e.wake(); }
    bool arrive(std::uint32_t link, const Flit& flit, std::uint64_t cycle,
                RegionSums& sums) override {
      return e.arrive(link, flit, cycle, sums);
    }
    bool posted() const override { return e.posted(); }
    const Descriptor& descriptor() const override { return e.descriptor(); }
    bool entered() const override { return e.entered(); }
    bool combines() const override { return e.combines(); }
    CombineOrder combine_order() const override { return e.combine_order(); }
    void note_barriers(std::uint32_t node, std::uint64_t cycle,
                       BarrierTimes& times) const override {
      e.note_barriers(node, cycle, times);
    }
    bool resting() const override { return e.resting(); }
    bool done() const override { return e.done(); }
    bool acts_later(std::uint64_t cycle) override { return e.acts_later(cycle); }
    std::uint64_t pauses(std::uint64_t cycle) const override { return e.pauses(cycle); }
    void skip(std::uint64_t cycle, std::uint32_t cycles) override { e.skip(cycle, cycles); }
    void check() const override { e.check(); }
    void drive(Nic::In& in) const override { e.drive(in); }
    NodeView view() const override { return e.view(); }
    std::string describe() const override { return e.describe(); }

    E& e;
  };

  std::unique_ptr<Interface> endpoint_;
};

static_assert(Endpoint<AnyEndpoint>);

/// A reference to each endpoint of the `own` nodes, by node.
PartArray<AnyEndpoint> any_endpoints(Endpoints& endpoints, const NodeSet& own);

}  // namespace weft
