// Wrong data at the end of a run.
#include "sim/report/wrong_data.hpp"

#include <fmt/format.h>

#include <bit>

#include "sim/config/words.hpp"

namespace weft {
namespace {

using Part = WrongWord::Part;
using By = LastWriter::By;

// By LastWriter::By.
constexpr const char* kWriters[] = {"nothing", "message", "combining tree", "processor", "unknown"};

std::string type_of(const WrongData& wrong) {
  return wrong.word.element_type ? word_of(*wrong.word.element_type) : "uint64";
}

// A value in the element's type.
std::string in_type(const WrongData& wrong, std::uint64_t bits) {
  if (!wrong.word.element_type) return fmt::format("{}", bits);
  const auto low = static_cast<std::uint32_t>(bits);
  switch (*wrong.word.element_type) {
    case ReduceType::kInt32:
      return fmt::format("{}", static_cast<std::int32_t>(low));
    case ReduceType::kInt64:
      return fmt::format("{}", static_cast<std::int64_t>(bits));
    default:
      return fmt::format("{}", std::bit_cast<float>(low));
  }
}

std::string in_hex(const WrongData& wrong, std::uint64_t bits) {
  return fmt::format("{:#0{}x}", bits, 2 + wrong.bits / 4);
}

// The words of a block or transfer are random: only their bits are informative.
std::string value_in_words(const WrongData& wrong, std::uint64_t bits) {
  if (!wrong.word.element_type) return in_hex(wrong, bits);
  return fmt::format("{} ({})", in_type(wrong, bits), in_hex(wrong, bits));
}

std::string part_in_words(const WrongData& wrong) {
  const WrongWord& word = wrong.word;
  switch (word.part) {
    case Part::kBlock:
      return fmt::format("word {} of the block of node {}", wrong.index, *word.owner);
    case Part::kTransfer:
      return fmt::format("word {} of transfer {}, from node {}", wrong.index, *word.transfer,
                         *word.owner);
    case Part::kMessage:
      return fmt::format("word {} of message {} from node {}", wrong.index, *word.transfer,
                         *word.owner);
    case Part::kExpected:
      return fmt::format("line {} of workload.expect", wrong.index + 1);
    default:
      return fmt::format("element {} of the array, {}{}", wrong.index, type_of(wrong),
                         word.owner ? fmt::format(", in the block of node {}", *word.owner) : "");
  }
}

std::string writer_in_words(const LastWriter& writer) {
  const std::string last = fmt::format("written last in cycle {} by ", writer.cycle);
  switch (writer.by) {
    case By::kNothing:
      return "nothing has written it: no message, combining tree or store of its own processor";
    case By::kMessage:
      return last + fmt::format("a message from {}, tag {}, {}",
                                writer.source ? fmt::format("node {}", *writer.source)
                                              : "an address that no node has",
                                writer.tag, writer.reduced ? "reduced" : "stored");
    case By::kCombiningTree:
      return last + "the combining tree";
    case By::kProcessor:
      return last + "its own processor";
    default:
      return "what wrote it last is not known: the same run, made again, left other data";
  }
}

const Fields<LastWriter>& last_writer_fields() {
  // Fields that only some writers have.
  const auto of_message = [](auto get) {
    return [get](const LastWriter& writer) {
      return writer.by == By::kMessage ? std::optional(get(writer)) : std::nullopt;
    };
  };
  static const Fields<LastWriter> fields = {
      {"/by", "", "`message`, `combining tree`, `processor` (the node's own), `nothing`, `unknown`",
       [](const LastWriter& writer) { return kWriters[static_cast<unsigned>(writer.by)]; }},
      {"/cycle",
       "cycle",
       "in which it was written",
       [](const LastWriter& writer) {
         const bool has = writer.by != By::kNothing && writer.by != By::kUnknown;
         return has ? std::optional(writer.cycle) : std::nullopt;
       },
       {},
       Unknown::kLeftOut},
      {"/source",
       "",
       "rank of the node that sent the message",
       &LastWriter::source,
       {},
       Unknown::kLeftOut},
      {"/tag",
       "",
       "of the message",
       of_message([](const LastWriter& writer) { return writer.tag; }),
       {},
       Unknown::kLeftOut},
      {"/kind",
       "",
       "`stored` or `reduced` into memory",
       of_message([](const LastWriter& writer) { return writer.reduced ? "reduced" : "stored"; }),
       {},
       Unknown::kLeftOut},
  };
  return fields;
}

}  // namespace

const Fields<WrongData>& wrong_data_fields() {
  using W = WrongData;
  static const Fields<W> fields = [] {
    const auto coordinates = [](const W& wrong) {
      return wrong.coordinates.empty() ? std::nullopt : std::optional(wrong.coordinates);
    };
    const auto part = [](const W& wrong) {
      return wrong.word.part == Part::kBlock      ? "block"
             : wrong.word.part == Part::kTransfer ? "transfer"
             : wrong.word.part == Part::kMessage  ? "message"
             : wrong.word.part == Part::kExpected ? "expect"
                                                  : "array";
    };
    Fields<W> all = {
        {"/nodes", "nodes", "that have a wrong word in memory", &W::nodes},
        {"/rank", "", "the first of them, in which the first wrong element is", &W::rank},
        {"/address", "", "of the node in the network", &W::address},
        {"/coordinates",
         "",
         "of the node, the fastest dimension first",
         coordinates,
         {},
         Unknown::kLeftOut},
        {"/memory_address", "byte", "of the element in the node's memory", &W::memory_address},
        {"/in", "", "what it is an element of: `block`, `transfer`, `message`, `array` or `expect`",
         part},
        {"/transfer",
         "",
         "number of the transfer, or of the message among those from the owner to this rank",
         [](const W& wrong) { return wrong.word.transfer; },
         {},
         Unknown::kLeftOut},
        {"/owner",
         "",
         "rank that sends the block, transfer or message, or whose block of the array it is",
         [](const W& wrong) { return wrong.word.owner; },
         {},
         Unknown::kLeftOut},
        {"/index", "elements",
         "before it in the block, transfer, message or array; lines before its own in the file of "
         "expect",
         &W::index},
        {"/type", "", "`uint64`, or of an array `int32`, `int64` or `fp32`", type_of},
        {"/expected", "", "value in that type",
         [](const W& wrong) { return in_type(wrong, wrong.expected); }},
        {"/found", "", "value in that type",
         [](const W& wrong) { return in_type(wrong, wrong.found); }},
        {"/expected_hex", "", "its bits",
         [](const W& wrong) { return in_hex(wrong, wrong.expected); }},
        {"/found_hex", "", "its bits", [](const W& wrong) { return in_hex(wrong, wrong.found); }},
    };
    add_part(all, "/last_writer", last_writer_fields(),
             [](const W& wrong) { return &wrong.last_writer; });
    return all;
  }();
  return fields;
}

std::string wrong_data_in_words(const WrongData& wrong) {
  return fmt::format(
      "\n  wrong data in {} of {} nodes; the first: node {}, address {:#x}{}"
      "\n  byte {:#x} of its memory, {}"
      "\n  expected {}, found {}"
      "\n  {}",
      wrong.nodes, wrong.of_nodes, wrong.rank, wrong.address,
      wrong.coordinates.empty() ? "" : ", coordinates " + wrong.coordinates, wrong.memory_address,
      part_in_words(wrong), value_in_words(wrong, wrong.expected),
      value_in_words(wrong, wrong.found), writer_in_words(wrong.last_writer));
}

}  // namespace weft
