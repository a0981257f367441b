// Hash table of states, for searches of many millions of them.

#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

/// Values by key; all keys are other than 0. No key is ever taken out.
template <class Value>
struct StateTable {
  std::vector<uint64_t> keys = std::vector<uint64_t>(1 << 16);
  std::vector<Value> values = std::vector<Value>(1 << 16);
  size_t size = 0;

  size_t slot(uint64_t key) const {
    uint64_t x = key;
    for (int i = 0; i < 2; i++) x = (x ^ x >> 32) * 0xd6e8feb86659fd93;
    size_t at = (x ^ x >> 32) & (keys.size() - 1);
    while (keys[at] != 0 && keys[at] != key) at = (at + 1) & (keys.size() - 1);
    return at;
  }
  bool insert(uint64_t key, Value value) {
    const size_t at = slot(key);
    if (keys[at] != 0) return false;
    keys[at] = key;
    values[at] = value;
    if (++size * 3 > keys.size() * 2) grow();
    return true;
  }
  void grow() {
    StateTable larger;
    larger.keys.assign(2 * keys.size(), 0);
    larger.values.resize(2 * keys.size());
    for (size_t i = 0; i < keys.size(); i++) {
      if (keys[i] == 0) continue;
      const size_t at = larger.slot(keys[i]);
      larger.keys[at] = keys[i];
      larger.values[at] = values[i];
    }
    larger.size = size;
    *this = std::move(larger);
  }
};
