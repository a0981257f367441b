// Main memory of one node.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>

#include "sim/packet/packet.hpp"

namespace weft {

static_assert(std::endian::native == std::endian::little, "nodes are little-endian");

/// Byte-addressed memory from address 0. Pages that are never written take no memory of the
/// computer.
class Memory {
 public:
  /// `bytes` of zeros: a multiple of 8, at most 2^24 flits of 512 bits; otherwise throws
  /// ConfigError.
  explicit Memory(std::uint32_t bytes);

  std::uint32_t bytes() const { return bytes_; }

  /// Whether `count` bytes from `address` are inside the memory.
  bool contains(std::uint32_t address, std::uint32_t count) const {
    return address <= bytes_ && count <= bytes_ - address;
  }

  /// The 64-bit word at a word address; throws CheckError outside the memory.
  std::uint64_t read_word(std::uint32_t index) const {
    if (index >= bytes_ / kWordBytes) outside(word_address(index), kWordBytes);
    std::uint64_t value;
    std::memcpy(&value, data_.get() + std::size_t{index} * kWordBytes, kWordBytes);
    return value;
  }
  void write_word(std::uint32_t index, std::uint64_t value) {
    if (index >= bytes_ / kWordBytes) outside(word_address(index), kWordBytes);
    std::memcpy(data_.get() + std::size_t{index} * kWordBytes, &value, kWordBytes);
  }

  /// Reads a flit of `words` words at a flit address.
  void read_flit(std::uint32_t index, unsigned words, std::uint64_t* to) const {
    if (words == 1) {
      *to = read_word(index);
    } else {
      read_words(index * words, words, to);
    }
  }
  void write_flit(std::uint32_t index, unsigned words, const FlitData& data) {
    if (words == 1) {
      write_word(index, data.word[0]);
    } else {
      write_words(index * words, words, data.word.data());
    }
  }

  /// Reads `count` words from a word address on into `words`.
  void read_words(std::uint32_t index, std::uint32_t count, std::uint64_t* words) const {
    require_words(index, count);
    std::memcpy(words, data_.get() + std::size_t{index} * kWordBytes,
                std::size_t{count} * kWordBytes);
  }
  void write_words(std::uint32_t index, std::uint32_t count, const std::uint64_t* words) {
    require_words(index, count);
    std::memcpy(data_.get() + std::size_t{index} * kWordBytes, words,
                std::size_t{count} * kWordBytes);
  }

  /// A byte, half-word, word or double word at a byte address of any alignment; throws CheckError
  /// outside the memory.
  template <class T>
  T load(std::uint32_t address) const {
    if (!contains(address, sizeof(T))) outside(address, sizeof(T));
    T value;
    std::memcpy(&value, data_.get() + address, sizeof(T));
    return value;
  }
  template <class T>
  void store(std::uint32_t address, T value) {
    if (!contains(address, sizeof(T))) outside(address, sizeof(T));
    std::memcpy(data_.get() + address, &value, sizeof(T));
  }

  /// The bytes themselves, aligned to 16, for loaders and native drivers.
  std::uint8_t* data() { return data_.get(); }
  const std::uint8_t* data() const { return data_.get(); }

  /// Checkpoint state: pages that are not all 0.
  template <class Archive>
  void serialize(Archive& archive) {
    constexpr std::uint32_t kPage = 4096;
    std::uint32_t saved = 0;  // When loading: address of the next saved page.
    if constexpr (Archive::is_loading::value) archive(saved);
    for (std::uint32_t at = 0; at < bytes_; at += std::min(kPage, bytes_ - at)) {
      std::uint8_t* const page = data_.get() + at;
      const std::uint32_t size = std::min(kPage, bytes_ - at);
      const bool used = page[0] != 0 || std::memcmp(page, page + 1, size - 1) != 0;
      if constexpr (Archive::is_loading::value) {
        if (at == saved) {
          archive.loadBinary(page, size);
          archive(saved);
        } else if (used) {
          std::memset(page, 0, size);
        }
      } else if (used) {
        archive(at);
        archive.saveBinary(page, size);
      }
    }
    if constexpr (Archive::is_saving::value) archive(std::uint32_t{UINT32_MAX});
  }

 private:
  struct Free {
    void operator()(std::uint8_t* data) const { std::free(data); }
  };

  /// Byte address of a word; if no byte address can name it, an address outside the memory.
  static std::uint32_t word_address(std::uint32_t index) {
    return index < UINT32_MAX / kWordBytes ? index * kWordBytes : UINT32_MAX;
  }
  void require_words(std::uint32_t index, std::uint32_t count) const {
    if (count > bytes_ / kWordBytes - std::min(index, bytes_ / kWordBytes)) {
      outside(word_address(std::max(index, bytes_ / kWordBytes)), kWordBytes);
    }
  }

  [[noreturn]] void outside(std::uint32_t address, std::uint32_t count) const;

  std::unique_ptr<std::uint8_t[], Free> data_;
  std::uint32_t bytes_;
};

}  // namespace weft
