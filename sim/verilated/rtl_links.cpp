// Links of Verilated blocks.
#include "sim/verilated/rtl_links.hpp"

namespace weft {

void check_equal(const std::string& prefix, unsigned i, const Flit& rtl, const Flit& model) {
  if (rtl == model) return;
  const auto name = [&](const char* signal) {
    return fmt::format("{}_{}_o[{}]", prefix, signal, i);
  };
  check_equal(name("valid"), rtl.valid, model.valid);
  check_equal(name("last"), rtl.last, model.last);
  check_equal(name("vc"), rtl.vc, model.vc);
  check_equal(name("data"), rtl.data, model.data);
  check_equal(name("data") + " (parity)", rtl.parity, model.parity);
  check_equal(name("stamp"), rtl.stamp, model.stamp);
}

RtlFlits::RtlFlits(const RtlInstance& rtl, const std::string& prefix, unsigned count,
                   unsigned flit_w, unsigned vcs)
    : flit_w_(flit_w), vc_w_(vcs == 0 ? 0 : index_width(vcs)) {
  const std::string side = prefix == "tx" ? "_o" : "_i";
  valid_ = rtl.port(prefix + "_valid" + side);
  last_ = rtl.port(prefix + "_last" + side);
  data_ = rtl.port(prefix + "_data" + side);
  if (data_.width() != count * flit_w) throw std::logic_error("links of another width");
  if (vcs == 0) return;
  vc_ = rtl.port(prefix + "_vc" + side);
  stamp_ = rtl.port(prefix + "_stamp" + side);
}

}  // namespace weft
