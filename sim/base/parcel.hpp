// Messages between processes, as bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

namespace weft {

/// A sequence of values, for another process of the same program.
class Parcel {
 public:
  Parcel() = default;
  explicit Parcel(std::vector<std::byte> bytes) : bytes_(std::move(bytes)) {}

  template <class T>
  void put(const T& value) {
    static_assert(std::is_trivially_copyable_v<T>);
    put_bytes(&value, sizeof(T));
  }
  template <class T>
  void put(const T* values, std::size_t count) {
    static_assert(std::is_trivially_copyable_v<T>);
    put_bytes(values, count * sizeof(T));
  }
  template <class T>
  void put(const std::vector<T>& values) {
    put(values.size());
    put(values.data(), values.size());
  }
  void put(const std::string& text) {
    put(text.size());
    put_bytes(text.data(), text.size());
  }

  template <class T>
  void take(T& value) {
    static_assert(std::is_trivially_copyable_v<T>);
    take_bytes(&value, sizeof(T));
  }
  template <class T>
  void take(T* values, std::size_t count) {
    static_assert(std::is_trivially_copyable_v<T>);
    take_bytes(values, count * sizeof(T));
  }
  template <class T>
  void take(std::vector<T>& values) {
    values.resize(take_size(sizeof(T)));
    take(values.data(), values.size());
  }
  void take(std::string& text) {
    text.resize(take_size(1));
    take_bytes(text.data(), text.size());
  }
  /// Takes the next value, of type T.
  template <class T>
  T take() {
    T value;
    take(value);
    return value;
  }

  bool empty() const { return at_ == bytes_.size(); }  ///< Whether nothing is left to take.
  void clear() {
    bytes_.clear();
    at_ = 0;
  }
  std::vector<std::byte>& bytes() { return bytes_; }
  const std::vector<std::byte>& bytes() const { return bytes_; }

 private:
  void put_bytes(const void* from, std::size_t size) {
    const auto* const bytes = static_cast<const std::byte*>(from);
    bytes_.insert(bytes_.end(), bytes, bytes + size);
  }
  void take_bytes(void* to, std::size_t size) {
    if (bytes_.size() - at_ < size) throw std::logic_error("parcel: too short");
    if (size != 0) std::memcpy(to, bytes_.data() + at_, size);
    at_ += size;
  }
  std::size_t take_size(std::size_t of_one) {
    const auto size = take<std::size_t>();
    if ((bytes_.size() - at_) / of_one < size) throw std::logic_error("parcel: too short");
    return size;
  }

  std::vector<std::byte> bytes_;
  std::size_t at_ = 0;  // Offset of the next value to take.
};

}  // namespace weft
