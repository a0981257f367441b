// The archives of checkpoints, by cereal: a class with a state has a template `serialize` beside
// its members, which saving and loading both call.
#pragma once

#include <array>
#include <cereal/cereal.hpp>
#include <cereal/types/optional.hpp>
#include <cereal/types/string.hpp>
#include <cstdint>
#include <istream>
#include <ostream>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

namespace weft {

/// Whether a type is a vector, whose size an archive keeps before the elements, or an array.
template <class T>
inline constexpr bool kIsVector = false;
template <class T, class A>
inline constexpr bool kIsVector<std::vector<T, A>> = true;
template <class T>
inline constexpr bool kIsArray = false;
template <class T, std::size_t N>
inline constexpr bool kIsArray<std::array<T, N>> = true;

/// Saves a state as the bytes that it is in this build of weft.
class SaveArchive : public cereal::OutputArchive<SaveArchive, cereal::AllowEmptyClassElision> {
 public:
  explicit SaveArchive(std::ostream& out) : OutputArchive(this), out_(out) {}

  /// Saves values; numbers and classes with a state directly, without cereal, whose tests of every
  /// type take a fifth of the compile time.
  template <class... Values>
  void operator()(const Values&... values) {
    (one(values), ...);
  }
  void saveBinary(const void* data, std::streamsize bytes);
  /// As LoadArchive::require: nothing to check.
  void require(bool) const {}
  template <class List>
  void any_size(const List& list) {
    (*this)(list);
  }

 private:
  template <class Value>
  void one(const Value& value) {
    if constexpr (std::is_arithmetic_v<Value>) {
      saveBinary(&value, sizeof value);
    } else if constexpr (requires(Value & state) { state.serialize(*this); }) {
      const_cast<Value&>(value).serialize(*this);  // Only reads, but cereal has no const
                                                   // `serialize` for saving.
    } else if constexpr (kIsVector<Value> || kIsArray<Value>) {
      if constexpr (kIsVector<Value>) one(std::uint64_t{value.size()});
      using Element = typename Value::value_type;
      if constexpr (std::is_arithmetic_v<Element> && !std::is_same_v<Element, bool>) {
        saveBinary(value.data(), static_cast<std::streamsize>(value.size() * sizeof(Element)));
      } else {
        for (const Element& element : value) one(element);
      }
    } else {
      OutputArchive::operator()(value);
    }
  }

  std::ostream& out_;
};

/// Loads a state. A file may hold any bytes with the right check sums, so loaded values are
/// checked: a bool is 0 or 1, an enumerator is below `values_of` its type, and a vector keeps its
/// size, which the configuration determines. Other indices, counts and loop limits are checked by
/// `serialize` with `require`. Throws std::runtime_error.
class LoadArchive : public cereal::InputArchive<LoadArchive, cereal::AllowEmptyClassElision> {
 public:
  explicit LoadArchive(std::istream& in) : InputArchive(this), in_(in) {}

  /// Loads values in the form in which SaveArchive saves them.
  template <class... Values>
  void operator()(Values&&... values) {
    (one(values), ...);
  }
  void loadBinary(void* data, std::streamsize bytes);
  /// Throws std::runtime_error unless the loaded value is `good`.
  void require(bool good) const {
    if (!good) refuse();
  }
  /// Loads a vector whose size changes in a run.
  template <class List>
  void any_size(List& list) {
    using Element = typename List::value_type;
    std::size_t count = size();
    list.clear();
    if constexpr (std::is_arithmetic_v<Element>) {
      require(count <= left() / sizeof(Element));
      list.resize(count);
      elements(list);
    } else {
      for (; count != 0; --count) (*this)(list.emplace_back());
    }
  }
  /// Loads the elements of a vector.
  template <class List>
  void elements(List& list) {
    using Element = typename List::value_type;
    if constexpr (std::is_same_v<Element, bool>) {
      for (std::size_t i = 0; i < list.size(); ++i) {
        bool element = false;
        (*this)(element);
        list[i] = element;
      }
    } else if constexpr (std::is_arithmetic_v<Element>) {
      loadBinary(list.data(), static_cast<std::streamsize>(list.size() * sizeof(Element)));
    } else {
      for (Element& element : list) (*this)(element);
    }
  }
  /// Loads the number of elements.
  std::size_t size();
  std::uint64_t left() const { return static_cast<std::uint64_t>(in_.rdbuf()->in_avail()); }

 private:
  [[noreturn]] static void refuse();
  template <class Value>
  void one(Value& value) {
    if constexpr (std::is_same_v<Value, bool>) {
      std::uint8_t byte = 0;
      loadBinary(&byte, 1);
      require(byte <= 1);
      value = byte != 0;
    } else if constexpr (std::is_arithmetic_v<Value>) {
      loadBinary(&value, sizeof value);
    } else if constexpr (requires { value.serialize(*this); }) {
      value.serialize(*this);
    } else if constexpr (kIsVector<Value>) {
      require(size() == value.size());
      elements(value);
    } else if constexpr (kIsArray<Value>) {
      elements(value);
    } else {
      InputArchive::operator()(value);
    }
  }

 protected:
  std::istream& in_;
};

}  // namespace weft
CEREAL_SETUP_ARCHIVE_TRAITS(weft::LoadArchive, weft::SaveArchive)
namespace weft {

// What cereal calls for these archives.
template <class Number>
requires std::is_arithmetic_v<Number>
void save(SaveArchive& archive, const Number& number) {
  archive.saveBinary(&number, sizeof number);
}
template <class Number>
requires std::is_arithmetic_v<Number>
void load(LoadArchive& archive, Number& number) {
  archive(number);
}
template <class Size>
void save(SaveArchive& archive, const cereal::SizeTag<Size>& size) {
  archive(size.size);
}
template <class T>
void save(SaveArchive& archive, const cereal::NameValuePair<T>& named) {
  archive(named.value);
}
template <class T>
void load(LoadArchive& archive, cereal::NameValuePair<T>& named) {
  archive(named.value);
}
template <class T>
void save(SaveArchive& archive, const cereal::BinaryData<T>& data) {
  archive.saveBinary(data.data, static_cast<std::streamsize>(data.size));
}
template <class T>
void load(LoadArchive& archive, cereal::BinaryData<T>& data) {
  archive.loadBinary(data.data, static_cast<std::streamsize>(data.size));
}
inline void load(LoadArchive& archive, std::string& text) {
  archive.any_size(text);
}
/// `values_of(value)`, beside an enum whose values begin with 0, is the number of its values.
template <class T>
requires cereal::common_detail::is_enum<T>::value void load_minimal(
    const LoadArchive& archive, T&& value,
    const typename cereal::common_detail::is_enum<T>::base_type& number) {
  using Enum = typename cereal::common_detail::is_enum<T>::type;
  archive.require(number < values_of(Enum{}));
  value = static_cast<Enum>(number);
}

/// Loads the state of a run, which then continues in a cycle. Blocks that are no models need more
/// than their state: how long ago they were in reset; and messages name them.
class RunArchive : public LoadArchive {
 public:
  RunArchive(std::istream& in, std::uint64_t cycle) : LoadArchive(in), cycle_(cycle) {}

  std::uint64_t cycle() const { return cycle_; }
  /// Number of the block that is being loaded, as the cycle loop counts them.
  std::uint32_t at() const { return at_; }
  /// Cycles since the block was in reset.
  std::uint32_t now() const { return static_cast<std::uint32_t>(cycle_ - origin_); }

  /// The state of block `at` comes next; it was in reset in cycle `origin`.
  void next(std::uint32_t at, std::uint64_t origin) {
    at_ = at;
    origin_ = origin;
  }

 private:
  std::uint64_t cycle_, origin_ = 0;
  std::uint32_t at_ = 0;
};

/// To be called before the state of a block: calls RunArchive::next if the archive is one.
template <class Archive>
void next_block(Archive& archive, std::uint32_t at, std::uint64_t origin = 0) {
  if constexpr (Archive::is_loading::value) {
    if (auto* const run = dynamic_cast<RunArchive*>(&archive)) run->next(at, origin);
  }
}

/// Saves or loads the state of a model; not inlined, because several call it for each model.
template <class Model, class Archive>
[[gnu::noinline]] void archive_model(Model& model, Archive& archive) {
  model.serialize(archive);
}

/// Saves or loads the state of a block, which is that of its `Model`. Verilated blocks and pairs
/// continue from the state of a model with the same configuration; they have no state that can be
/// saved.
template <class Model, class Block, class Config, class Archive>
void archive_block(Block& block, const Config& config, Archive& archive) {
  if constexpr (std::is_same_v<Block, Model>) {
    archive_model(block, archive);
  } else if constexpr (Archive::is_loading::value) {
    Model model(config);
    archive_model(model, archive);
    block.load(model, dynamic_cast<RunArchive&>(archive).now());
  } else {
    throw std::logic_error("checkpoint: a block that is no model");
  }
}

}  // namespace weft
