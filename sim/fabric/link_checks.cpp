// The check codes of protected links: whether they accept the words on the wires.
#include "sim/fabric/link_checks.hpp"

#include <type_traits>

namespace weft {
namespace {

// The form of a link's words is that of the block that sends them.
std::variant<LinkForm, GuardForm> form_of(const LinkChain& chain) {
  return std::visit(
      [](const auto& block) -> std::variant<LinkForm, GuardForm> {
        using Form = std::decay_t<decltype(block.config)>;
        if constexpr (std::is_base_of_v<LinkForm, Form>) return LinkForm(block.config);
        if constexpr (std::is_base_of_v<GuardForm, Form>) return GuardForm(block.config);
        return {};
      },
      chain.blocks.at(chain.wire - 1));
}

}  // namespace

LinkChecks::LinkChecks(const Graph& graph, std::uint32_t link, bool parity)
    : form_(form_of(link_chain(graph, link, parity))),
      back_(std::visit([](const auto& form) { return form.back(); }, form_)),
      body_(back_.words()) {}

bool LinkChecks::accept(const LinkWord& forward) const {
  if (const auto* const retry = std::get_if<LinkForm>(&form_)) {
    return forward.check == retry->check_of(forward.flit, forward.check & retry->seq_mask());
  }
  const auto& guard = std::get<GuardForm>(form_);
  const auto numbers =
      static_cast<std::uint32_t>(forward.check & low_mask(guard.check_w() - GuardForm::kCodeW));
  return forward.flit.vc < guard.num_vc && forward.check == guard.check_of(forward.flit, numbers);
}

bool LinkChecks::accept(const std::vector<std::uint64_t>& back) {
  BitReader word(back.data());
  word.skip(back_.body_w());
  return word.next(back_.check_w()) == back_.check_of(back.data(), body_.data());
}

}  // namespace weft
