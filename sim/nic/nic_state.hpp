// Checkpoint state of the network interface's cycle model: a function of Nic (sim/nic/nic.hpp,
// which includes this file).
#pragma once

#include "sim/nic/nic.hpp"

namespace weft {

template <class Archive>
void Nic::serialize(Archive& archive) {
  for (SendUnit& unit : send_) archive(unit);
  for (InjectUnit& unit : inject_) archive(unit);
  for (RecvUnit& unit : further_) archive(unit);
  if (lanes_) archive(*lanes_);
  if (reliable_) archive(*reliable_);
  archive(sends_, stuck_, receives_, told_, out_, recv_, queue_, arbiter_, next_ctrl_, waits_);
  const unsigned lanes = num_ctrl_ + (lanes_ ? links_ : 0);
  archive.require(next_ctrl_ < num_ctrl_ && waits_ >> links_ == 0 && out_.mem_wen >> links_ == 0 &&
                  out_.mem_ren >> lanes == 0 && out_.rx_credit >> links_ == 0 &&
                  out_.status.desc_free == queue_.depth() - queue_.count());
}

}  // namespace weft
