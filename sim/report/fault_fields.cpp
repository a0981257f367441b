// Fields of a result for faults and protected links.
#include "sim/report/fault_fields.hpp"

namespace weft {

const Fields<FaultResult>& fault_fields() {
  static const Fields<FaultResult> fields = {
      {"/put", "faults", "changed something", &FaultResult::put},
      {"/missed", "faults", "never changed anything", &FaultResult::missed},
      {"/hits", "link-cycles", "in which a fault changed something", &FaultResult::hits},
      {"/seen", "link-cycles", "of these, found by a check of a link or an interface",
       &FaultResult::seen},
      {"/repaired", "link-cycles", "of these, repaired by the link", &FaultResult::repaired},
      {"/passed", "link-cycles",
       "in which the check of a protected link took a wrong word for a right one; without "
       "protection the hits that no interface found",
       &FaultResult::passed},
  };
  return fields;
}

const Fields<LinkCounts>& link_fields() {
  static const Fields<LinkCounts> fields = {
      {"/errors",
       "words",
       "that arrived with a wrong check code",
       &LinkCounts::errors,
       {"link_errors"}},
      {"/retries",
       "",
       "times that a link went back to send again",
       &LinkCounts::retries,
       {"link_retries"}},
      {"/lost",
       "packets",
       "lost or discarded on links, as these count them: a wrong word that passed the check can "
       "add more than there were",
       &LinkCounts::lost,
       {"link_lost"}},
  };
  return fields;
}

const Fields<Resends>& resend_fields() {
  using R = Resends;
  static const Fields<R> fields = {
      {"/restarts",
       "restarts",
       "of the network, because packets were lost or links died",
       &R::restarts,
       {"restarts"}},
      {"/cycles",
       "cycles",
       "in which no new packet was sent for that",
       &R::cycles,
       {"restart_cycles"}},
      {"/resent", "packets", "sent again", &R::resent, {"packets_resent"}},
      {"/repeated",
       "packets",
       "dropped because they had come before",
       &R::repeated,
       {"packets_repeated"}},
      {"/missing", "messages", "of a program of one's own, dropped and not there when it returned",
       &R::missing},
      {"/dead", "", "links that were given up, by names", &R::dead},
  };
  return fields;
}

}  // namespace weft
