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
      {"/passed", "link-cycles", "hits that no check found", &FaultResult::passed},
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
      {"/lost", "packets", "lost or discarded on links", &LinkCounts::lost, {"link_lost"}},
  };
  return fields;
}

}  // namespace weft
