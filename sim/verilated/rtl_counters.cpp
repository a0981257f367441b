// The counters of events that models and RTL have, by the names of their registers.
#include "sim/verilated/rtl_state.hpp"

namespace weft {

std::vector<RtlCounter> RtlState::counters(BarrierUnit& model) {
  return {{"count_q", 0, &model.out_.count}};
}

std::vector<RtlCounter> RtlState::counters(AxiRead& model) {
  return {{"errors_q", 0, &model.out_.errors}};
}

std::vector<RtlCounter> RtlState::counters(AxiWrite& model) {
  return {{"errors_q", 0, &model.out_.errors}};
}

std::vector<RtlCounter> RtlState::counters(CreditRx& model) {
  return {{"errors_q", 0, &model.errors_}};
}

std::vector<RtlCounter> RtlState::counters(GuardRx& model) {
  return {{"lost_q", 0, &model.lost_}, {"errors_q", 0, &model.errors_}};
}

std::vector<RtlCounter> RtlState::counters(GuardTx& model) {
  return {{"u_credit_rx.errors_q", 0, &model.credit_rx_.errors_}};
}

std::vector<RtlCounter> RtlState::counters(LinkRx& model) {
  return {{"errors_q", 0, &model.errors_}};
}

std::vector<RtlCounter> RtlState::counters(LinkTx& model) {
  return {{"retries_q", 0, &model.retries_}, {"u_credit_rx.errors_q", 0, &model.credits_.errors_}};
}

std::vector<RtlCounter> RtlState::counters(RecvUnit& model) {
  std::vector<RtlCounter> all = {{"parity_q", 0, &model.out_.rx_parity},
                                 {"refused_q", 0, &model.out_.rx_refused}};
  for (unsigned tag = 0; tag < kNumRxCounts; ++tag) {
    all.push_back({"count_q", tag * kCountW, &model.out_.rx_count[tag]});
    all.push_back({"arrived_q", tag * kCountW, &model.out_.rx_arrived[tag], true});
  }
  if (model.form_.id_w != 0) all.push_back({"gen_ids.repeated_q", 0, &model.out_.rx_repeated});
  return all;
}

}  // namespace weft
