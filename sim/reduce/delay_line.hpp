// Pipeline of the arithmetic blocks in this folder: a result leaves a fixed number of cycles after
// its operands enter.
#pragma once

#include <array>

namespace weft {

/// The last `Cycles` values, the oldest at the output; all 0 after reset.
template <class T, unsigned Cycles>
class DelayLine {
 public:
  void reset() { *this = DelayLine(); }
  /// The value that entered `Cycles` - 1 steps before the last one.
  const T& out() const { return ring_[next_]; }
  const T& step(const T& value) {
    ring_[next_] = value;
    next_ = (next_ + 1) % Cycles;
    return out();
  }

 private:
  std::array<T, Cycles> ring_{};
  unsigned next_ = 0;  // The oldest value, which the next step replaces.
};

}  // namespace weft
