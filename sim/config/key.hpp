// One description of a configuration key: its name, accepted values, when it applies, and the
// member that holds it. Tables of keys drive parsing, defaults, the echo in results, `weft list
// keys`, the JSON Schema and the key table of the README.
#pragma once

#include <cstdint>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>
#include <string_view>
#include <typeinfo>
#include <utility>

#include "sim/config/json_cursor.hpp"
#include "sim/config/words.hpp"

namespace weft {

/// Properties of a run that determine which keys it has; sets of these are masks.
enum Fact : std::uint32_t {
  // The workload; all bits in a configuration without one.
  kAllToAll = 1u << 0,      ///< A collective that is an all-to-all,
  kMoves = 1u << 1,         ///< on arrays without an operation,
  kReductions = 1u << 2,    ///< on arrays with one.
  kTransfers = 1u << 3,     ///< A list of transfers.
  kTraffic = 1u << 4,       ///< Synthetic traffic with a rate,
  kTimedTraffic = 1u << 5,  ///< or with times and lengths of its own.
  kBarrierWork = 1u << 6,   ///< A barrier and nothing else.
  kProgramWork = 1u << 7,   ///< What a program of the user's does.
  kTraceWork = 1u << 12,    ///< A dependency trace.
  kArrays = kMoves | kReductions,
  kCollectives = kAllToAll | kArrays | kBarrierWork | kProgramWork | kTraceWork,
  kAnyTraffic = kTraffic | kTimedTraffic,
  kAnyWork = kCollectives | kTransfers | kAnyTraffic,
  // Of the collective.
  kByHops = 1u << 8,      ///< Groups messages by hops.
  kRooted = 1u << 9,      ///< Has a root.
  kPipelines = 1u << 10,  ///< Takes chunks and transit, and ends after a number of steps.
  kOrdered = 1u << 11,    ///< Goes along the dimensions of boards one after the other.
  kAnyFeature = kByHops | kRooted | kPipelines | kOrdered,
  kOfWork = kAnyWork | kAnyFeature,
  // The network.
  kCrossbars = 1u << 16,  ///< Of crossbars,
  kRouters = 1u << 17,    ///< or of routers,
  kDatelines = 1u << 18,  ///< whose rings have datelines that may be balanced,
  kGrids = 1u << 19,      ///< whose route units go in dimension order,
  kTables = 1u << 20,     ///< that route by tables, which are computed,
  kOwnStages = 1u << 21,  ///< or whose links have registers of their own.
  /// No part of `kOfNetwork`, as no key asks for it: links lead one way round, and tables around a
  /// dead one are not free of deadlock, or links of a node lead to several routers.
  kNoDetours = 1u << 22,
  kOfNetwork = kCrossbars | kRouters | kDatelines | kGrids | kTables | kOwnStages,
};

/// Whether ways around a dead link can be computed in a network with these facts.
constexpr bool has_detours(std::uint32_t facts) {
  return (facts & kRouters) != 0 && (facts & kNoDetours) == 0;
}

/// The facts of one configuration, with the names of network and workload for messages.
struct Situation {
  std::uint32_t facts = kOfWork | kOfNetwork;
  std::string topology = "", work = "";
};

/// The type of a key's value, which follows from that of its member.
enum class KeyType : std::uint8_t {
  kWhole,           ///< A whole number from `least` to `most`, or one of the words.
  kFraction,        ///< A number above 0, or from 0 on with `or_zero`, and up to `largest`.
  kBoolean,         ///< True, false, or one of the words.
  kWords,           ///< One of the words.
  kText,            ///< Any text.
  kNumbers,         ///< A list of whole numbers; the first word means an empty one.
  kTexts,           ///< A list of texts.
  kObject,          ///< An object with the keys `fields`,
  kObjects,         ///< or a list of these.
  kWholeOrObjects,  ///< A whole number, or a list of objects in its place.
  kTextOrObjects,   ///< The same with a text, read by code of its own.
  kOther,           ///< Read by code of its own; here for the lists.
};

/// One row of a table. Several rows of one name differ in `only_if` or `works`; the first one that
/// exists for the configuration applies. `words`, `fields` and texts must have static lifetime.
struct Key {
  const char* name = "";
  std::uint64_t least = 0, most = kMaxNumber;  ///< Of a number, or of each of a list.
  double largest = 1;                          ///< Of a fraction.
  bool or_zero = false;                        ///< A fraction may be 0.
  std::uint64_t min_items = 0, max_items = 0;  ///< Of a list.
  std::span<const Word> words = {};
  std::span<const Key> fields = {};
  const char* expected =
      nullptr;  ///< Replaces the text derived from the members above, in messages.
  const char* initial = nullptr;  ///< The default in words, where other keys decide it.
  bool required = false;
  bool omit_empty = false;    ///< The echo omits it if it is empty, or 0.
  bool or_one = false;        ///< Of a list of numbers: a number alone is a list of one.
  bool power_of_two = false;  ///< Of a number without words.
  const char* unit = "";
  std::uint32_t works = kAnyWork;  ///< Exists for any of these workloads,
  std::uint32_t only_if = 0;       ///< if all of these are true;
  std::uint32_t needs = 0;         ///< accepts only its default unless all of these are true.
  const char* help = "";

  // Set by key<...>().
  KeyType type = KeyType::kOther;
  void (*read)(const Key&, const JsonCursor&, const Situation&, void* target) = nullptr;
  nlohmann::json (*write)(const Key&, const Situation&, const void* source) = nullptr;
  nlohmann::json (*new_element)(const Key&) = nullptr;  ///< Of a list of objects: its defaults.

  /// Whether the key exists.
  bool exists(std::uint32_t facts) const { return (works & facts) != 0 && (only_if & ~facts) == 0; }
  /// Whether it may have a value other than its default.
  bool applies(std::uint32_t facts) const { return exists(facts) && (needs & ~facts) == 0; }
};

using Keys = std::span<const Key>;

/// The row of that name that applies; null: the key does not exist here.
const Key* find_key(Keys keys, std::string_view name, std::uint32_t facts);
/// The values that a key accepts, in words.
std::string expected_of(const Key& key);
/// The only value that it accepts, or null.
nlohmann::json only_value(const Key& key);
/// The networks and workloads that have the key, in words; empty: all.
std::string applies_in_words(const Key& key);

/// Throws unless `cursor` is an object whose keys are all in the tables and exist here.
void check_names(std::span<const Keys> tables, const JsonCursor& cursor,
                 const Situation& situation);
/// Reads the members of an object that are in the table into the table's struct. Throws
/// ConfigError.
void read_members(Keys keys, const JsonCursor& cursor, const Situation& situation, void* target);
/// check_names, then read_members.
void read_object(Keys keys, const JsonCursor& cursor, const Situation& situation, void* target);
/// The object from which read_object reads this struct.
nlohmann::json write_object(Keys keys, const Situation& situation, const void* source);

/// The values of the keys that one kind of topology or of traffic has alone: the struct of its
/// table.
class KindValues {
 public:
  KindValues() = default;  ///< Of a kind without such keys.
  template <class Struct>
  KindValues(Keys keys, Struct values)
      : keys_(keys),
        values_(std::make_shared<const Struct>(std::move(values))),
        type_(&typeid(Struct)) {}

  /// The struct, whose type the caller knows from the kind.
  template <class Struct>
  const Struct& as() const {
    if (type_ == nullptr || *type_ != typeid(Struct)) throw std::bad_cast();
    return *static_cast<const Struct*>(values_.get());
  }
  Keys keys() const { return keys_; }
  bool has(std::string_view key) const;
  /// The object in a configuration.
  nlohmann::json to_json() const;

 private:
  Keys keys_;
  std::shared_ptr<const void> values_;
  const std::type_info* type_ = nullptr;
};

/// The table of a kind's own keys, with functions for its struct, whose type callers do not know.
struct KeyTable {
  Keys keys = {};
  /// Reads the object. Throws ConfigError.
  KindValues (*read)(Keys, const JsonCursor&, const Situation&) = nullptr;
  /// The defaults.
  KindValues (*initial)(Keys) = nullptr;
};

}  // namespace weft
