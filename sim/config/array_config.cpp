// Collectives on arrays: reading and checking their part of a configuration.
#include "sim/config/array_config.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

namespace weft {
using nlohmann::json;
namespace {

constexpr std::uint32_t kMostBytes = 1u << 26;
constexpr std::uint32_t kMostChunks = 1024;

// By their figures in the register REDUCE.
constexpr std::array<std::string_view, kReduceTypes> kTypes = {"int32", "int64", "fp32"};
constexpr std::array<std::string_view, kReduceOps> kOps = {"", "sum", "prod", "max", "min", "mean"};

template <class Kind, std::size_t N>
Kind kind_of(const std::array<std::string_view, N>& names, const std::string& name) {
  return static_cast<Kind>(std::find(names.begin(), names.end(), name) - names.begin());
}

}  // namespace

ArrayConfig read_array(const JsonPlace& workload, bool reduces) {
  if (reduces) {
    workload.only_keys({"collective", "bytes", "type", "op", "order", "root", "chunks", "transit",
                        "steps", "data", "program"});
  } else {
    workload.only_keys({"collective", "bytes", "type", "order", "root", "chunks", "transit",
                        "steps", "data", "program"});
  }
  ArrayConfig array{.reduces = reduces};
  std::string type = "int32", op = "sum";
  workload.choice("type", type, {"int32", "int64", "fp32"});
  workload.choice("op", op, {"sum", "prod", "max", "min", "mean"});
  array.type = kind_of<ReduceType>(kTypes, type);
  array.op = kind_of<ReduceOp>(kOps, op);
  const std::uint32_t element = array.element_bytes();
  const std::string accepted = fmt::format("{} to {} bytes, a multiple of {}, the size of {}",
                                           element, kMostBytes, element, type);
  const JsonPlace bytes = workload.at("bytes", accepted);
  array.bytes = static_cast<std::uint32_t>(bytes.number(element, kMostBytes, accepted));
  if (array.bytes % element != 0) bytes.refuse(accepted);
  workload.choice("order", array.order, {"alphabetical", "bandwidth"});
  workload.choice("data", array.data, {"random", "member"});
  workload.choice("transit", array.transit, {"cut_through", "store_and_forward"});
  workload.number("root", array.root, 0, (1u << kMaxAddrW) - 1);
  workload.number("chunks", array.chunks, 1, kMostChunks);
  if (workload.has("steps") && workload.member("steps").value() != "all") {
    array.steps = static_cast<std::uint32_t>(
        workload.member("steps").number(0, 1000, "\"all\", or 0 to 1000"));
  }
  return array;
}

json array_json(const ArrayConfig& array) {
  json result = {
      {"bytes", array.bytes},
      {"type", kTypes[static_cast<unsigned>(array.type)]},
      {"order", array.order},
      {"root", array.root},
      {"chunks", array.chunks},
      {"transit", array.transit},
      {"data", array.data},
      {"steps", array.steps == ArrayConfig::kAllSteps ? json("all") : json(array.steps)}};
  if (array.reduces) result["op"] = kOps[static_cast<unsigned>(array.op)];
  return result;
}

}  // namespace weft
