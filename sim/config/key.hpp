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
  // Kinds of workload; all bits are set in a configuration without one.
  kAllToAll = 1u << 0,      ///< A collective that is an all-to-all.
  kMoves = 1u << 1,         ///< A collective on arrays without an operation.
  kReductions = 1u << 2,    ///< A collective on arrays with an operation.
  kTransfers = 1u << 3,     ///< A list of transfers.
  kTraffic = 1u << 4,       ///< Synthetic traffic with a rate.
  kTimedTraffic = 1u << 5,  ///< Synthetic traffic whose pattern has its own times and lengths.
  kBarrierWork = 1u << 6,   ///< A barrier and nothing else.
  kProgramWork = 1u << 7,   ///< A user program.
  kTraceWork = 1u << 12,    ///< A dependency trace.
  kArrays = kMoves | kReductions,
  kCollectives = kAllToAll | kArrays | kBarrierWork | kProgramWork | kTraceWork,
  kAnyTraffic = kTraffic | kTimedTraffic,
  kAnyWork = kCollectives | kTransfers | kAnyTraffic,
  // Properties of the collective.
  kByHops = 1u << 8,      ///< Groups messages by hops.
  kRooted = 1u << 9,      ///< Has a root.
  kPipelines = 1u << 10,  ///< Accepts chunks and transit, and may end after a number of steps.
  kOrdered = 1u << 11,    ///< Proceeds along the dimensions of boards one after the other.
  kAnyFeature = kByHops | kRooted | kPipelines | kOrdered,
  kOfWork = kAnyWork | kAnyFeature,
  // Properties of the network.
  kCrossbars = 1u << 16,  ///< A network of crossbars.
  kRouters = 1u << 17,    ///< A network of routers.
  kDatelines = 1u << 18,  ///< Routers whose rings have datelines by rule.
  kGrids = 1u << 19,      ///< Routers whose route units use dimension order.
  kTables = 1u << 20,     ///< Routers that route by computed tables.
  kOwnStages = 1u << 21,  ///< Routers whose links have registers by themselves.
  /// Set for networks without detours: unidirectional rings (routes around a dead link could
  /// deadlock), or nodes attached to several routers. No key depends on it, so it is no part of
  /// `kOfNetwork`.
  kNoDetours = 1u << 22,
  kOfNetwork = kCrossbars | kRouters | kDatelines | kGrids | kTables | kOwnStages,
};

/// Whether routes around a dead link can be computed in a network with these facts.
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
  kNumbers,         ///< A list of whole numbers; the first word means an empty list.
  kTexts,           ///< A list of texts.
  kObject,          ///< An object with the keys `fields`,
  kObjects,         ///< A list of objects with the keys `fields`.
  kWholeOrObjects,  ///< A whole number, or a list of objects instead.
  kTextOrObjects,   ///< A text, or a list of objects instead; read by its own code.
  kOther,           ///< Read by its own code; in a table only for the lists of keys.
};

/// A row of a table. Several rows of one name differ in `only_if` or `works`; the first one that
/// exists for the configuration applies. `words`, `fields` and texts must have static lifetime.
struct Key {
  const char* name = "";
  std::uint64_t least = 0, most = kMaxNumber;  ///< Range of a number, or of each element of a list.
  double largest = 1;                          ///< Largest value of a fraction.
  bool or_zero = false;                        ///< A fraction may be 0.
  std::uint64_t min_items = 0, max_items = 0;  ///< Number of elements of a list.
  std::span<const Word> words = {};
  std::span<const Key> fields = {};
  const char* expected =
      nullptr;  ///< Replaces the text derived from the members above, in messages.
  const char* initial = nullptr;  ///< The default in words, if other keys decide it.
  bool required = false;
  bool omit_empty = false;    ///< The echo omits it if it is empty or 0.
  bool or_one = false;        ///< For a list of numbers: a single number is a list of one.
  bool power_of_two = false;  ///< For a number without words.
  const char* unit = "";
  std::uint32_t works = kAnyWork;  ///< Exists for any of these workloads.
  std::uint32_t only_if = 0;       ///< Exists only if all of these facts are true.
  std::uint32_t needs = 0;         ///< Accepts only its default unless all of these facts are true.
  const char* help = "";

  // Members set by key<...>().
  KeyType type = KeyType::kOther;
  void (*read)(const Key&, const JsonCursor&, const Situation&, void* target) = nullptr;
  nlohmann::json (*write)(const Key&, const Situation&, const void* source) = nullptr;
  /// For a list of objects: makes an element with its defaults.
  nlohmann::json (*new_element)(const Key&) = nullptr;

  /// Whether the key exists.
  bool exists(std::uint32_t facts) const { return (works & facts) != 0 && (only_if & ~facts) == 0; }
  /// Whether the key may have a value other than its default.
  bool applies(std::uint32_t facts) const { return exists(facts) && (needs & ~facts) == 0; }
};

using Keys = std::span<const Key>;

/// The row of a name that applies; null: the key does not exist here.
const Key* find_key(Keys keys, std::string_view name, std::uint32_t facts);
/// The values that a key accepts, in words.
std::string expected_of(const Key& key);
/// The only value that a key accepts, or null.
nlohmann::json only_value(const Key& key);
/// The networks and workloads that have the key, in words; empty: all.
std::string applies_in_words(const Key& key);

/// Throws unless `cursor` is an object whose keys are all in the tables and exist here.
void check_names(std::span<const Keys> tables, const JsonCursor& cursor,
                 const Situation& situation);
/// Reads the members of an object that are in the table into `target`, the table's struct. Throws
/// ConfigError.
void read_members(Keys keys, const JsonCursor& cursor, const Situation& situation, void* target);
/// Calls check_names, then read_members.
void read_object(Keys keys, const JsonCursor& cursor, const Situation& situation, void* target);
/// The object from which read_object reads the struct `source`.
nlohmann::json write_object(Keys keys, const Situation& situation, const void* source);

/// The values of the keys that only one kind of topology or of traffic has: the struct of its
/// table.
class KindValues {
 public:
  KindValues() = default;  ///< For a kind without such keys.
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
  /// Returns the defaults.
  KindValues (*initial)(Keys) = nullptr;
};

}  // namespace weft
