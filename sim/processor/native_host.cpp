// Native drivers: fibres, and the primitives of sw/include/weft_hal.h.
#include "sim/processor/native_host.hpp"

#include <dlfcn.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>
#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/asan_interface.h>
#endif

#include <csignal>
#include <cstddef>
#include <cstring>
#include <filesystem>
#include <memory>
#include <new>
#include <string_view>
#include <utility>

#include "sim/base/error.hpp"
#include "sim/base/file_reader.hpp"

namespace weft {
namespace {

/// Bytes of one driver's stack. A guard page below it detects an overflow where it happens.
constexpr std::size_t kStackBytes = std::size_t{64} << 10;

constexpr std::size_t kGuardBytes = std::size_t{4} << 10;

/// Bytes below the stack in which an access counts as an overflow: a frame may reach beyond the
/// guard page.
constexpr std::size_t kBelowStack = std::size_t{64} << 10;

/// The node whose driver this thread is running: the primitives are C functions without a context
/// argument, so that this cannot be passed in.
thread_local NativeHost* running_host = nullptr;

/// Tells the address sanitizer that no frame is left on a driver's stack. It knows only the stacks
/// of threads: an unwound driver would leave its frames to whatever is mapped here next.
void forget_frames([[maybe_unused]] std::uintptr_t base) {
#ifdef __SANITIZE_ADDRESS__
  ASAN_UNPOISON_MEMORY_REGION(reinterpret_cast<void*>(base + kGuardBytes), kStackBytes);
#endif
}

/// A protected stack that tells its owner its lowest address. Boost's own ends the process if the
/// system has no more memory maps (vm.max_map_count); a stack takes two.
struct ToldStack {
  std::uintptr_t* base;

  boost::context::stack_context allocate() {
    boost::context::stack_context context;
    context.size = kGuardBytes + kStackBytes;
    void* const low = mmap(nullptr, context.size, PROT_READ | PROT_WRITE,
                           MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (low == MAP_FAILED) throw std::bad_alloc();
    if (mprotect(low, kGuardBytes, PROT_NONE) != 0) {
      munmap(low, context.size);
      throw std::bad_alloc();
    }
    *base = reinterpret_cast<std::uintptr_t>(low);
    context.sp = static_cast<std::byte*>(low) + context.size;
    return context;
  }
  void deallocate(boost::context::stack_context& context) noexcept {
    void* const low = static_cast<std::byte*>(context.sp) - context.size;
    forget_frames(reinterpret_cast<std::uintptr_t>(low));
    munmap(low, context.size);
  }
};

}  // namespace

/// Reports a full stack of a driver. It ends the process, since the driver cannot continue and
/// nothing can be unwound; a handler of SIGSEGV on its own stack first writes a message. Other
/// failing accesses end the process as without a handler.
class StackGuard {
 public:
  /// Installs the guard for the calling thread.
  StackGuard() : stack_(new char[kBytes]) {
    const stack_t alternate = {.ss_sp = stack_.get(), .ss_flags = 0, .ss_size = kBytes};
    sigaltstack(&alternate, &before_);
    struct sigaction action = {};
    sigaction(SIGSEGV, nullptr, &action);
    if (action.sa_handler != SIG_DFL) return;  // A handler of another thread, or of a sanitizer.
    action.sa_sigaction = handle;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESETHAND;
    sigaction(SIGSEGV, &action, nullptr);
  }
  ~StackGuard() { sigaltstack(&before_, nullptr); }
  StackGuard(const StackGuard&) = delete;
  StackGuard& operator=(const StackGuard&) = delete;

 private:
  static constexpr std::size_t kBytes = std::size_t{32} << 10;

  static void handle(int, siginfo_t* what, void*) {
    const NativeHost* const host = running_host;
    const auto at = reinterpret_cast<std::uintptr_t>(what->si_addr);
    // Any other access is repeated, without this handler.
    if (host == nullptr || at - (host->stack_base() - kBelowStack) >= kBelowStack + kGuardBytes) {
      return;
    }
    // From here on only what a signal handler may call.
    char digits[10];
    char* first = digits + sizeof digits;
    std::uint32_t rank = host->port().rank();
    do {
      *--first = static_cast<char>('0' + rank % 10);
    } while ((rank /= 10) != 0);
    const auto say = [](std::string_view text) {
      const ssize_t ignored = ::write(STDERR_FILENO, text.data(), text.size());
      (void)ignored;
    };
    say("weft: node ");
    say({first, digits + sizeof digits});
    say(": the stack of its native program (64 KiB) is full\n");
    _exit(1);
  }

  std::unique_ptr<char[]> stack_;
  stack_t before_ = {};
};

/// Implementation of the primitives. Each runs on the driver's fibre.
struct NativePrimitives {
  /// Switches to the caller of step; returns in a later cycle, or never if the state is final (then
  /// the fibre is unwound from here when its host is destroyed).
  static void suspend() {
    NativeHost* const host = running_host;
    const std::uintptr_t base = host->stack_base_;
    try {
      boost::context::fiber stepper = std::move(host->stepper_).resume();
      running_host->stepper_ = std::move(stepper);
    } catch (...) {
      forget_frames(base);
      throw;
    }
  }

  [[noreturn]] static void finish(ProcessorState state) {
    running_host->state_ = state;
    for (;;) suspend();
  }

  [[noreturn]] static void fail(std::string reason) {
    running_host->fault_ = std::move(reason);
    finish(ProcessorState::kFaulted);
  }

  static void check_port() {
    const NicPort& port = running_host->port_;
    if (port.faulted()) fail(port.fault());
    if (port.halted()) finish(ProcessorState::kHalted);
  }

  static std::uint32_t read(std::uint32_t reg) {
    if (running_host->reads_ == NativeHost::kReadsPerCycle) suspend();
    ++running_host->reads_;
    const std::uint32_t value = running_host->port_.read(reg);
    check_port();
    return value;
  }

  static void write(std::uint32_t reg, std::uint32_t value) {
    const NicPort& port = running_host->port_;
    if ((reg == WEFT_REG_POST && port.posted()) || (reg == WEFT_REG_BARRIER && port.entered()) ||
        (reg == WEFT_REG_COMBINE_POST && port.combines())) {
      suspend();
    }
    running_host->port_.write(reg, value);
    check_port();
  }

  static void sleep() {
    if (running_host->port_.take_event()) return;
    running_host->state_ = ProcessorState::kSleeping;
    suspend();
  }

  static void pause(std::uint32_t cycles) {
    if (cycles == 0) return;
    running_host->pause_ = cycles - 1;
    running_host->pauses_ = true;
    suspend();
  }

  static void tell(std::uint32_t reg, const char* text, std::uint32_t value) {
    if (text == nullptr) fail("a text at address 0");
    running_host->port_.tell(reg, {text, strnlen(text, NicPort::kMostText)}, value);
    check_port();
  }

  static void phase(const char* name) {
    const std::size_t length = name == nullptr ? 0 : strnlen(name, NicPort::kMostText);
    running_host->port_.enter_phase({name, length});
    check_port();
  }

  static void* memory(std::uint32_t address) {
    Memory& memory = running_host->memory_;
    if (!memory.contains(address, 0)) {
      fail(fmt::format("address 0x{:08x} is outside the memory of 0x{:x} bytes", address,
                       memory.bytes()));
    }
    return memory.data() + address;
  }

  static const Job* job() {
    return reinterpret_cast<const Job*>(running_host->memory_.data() + WEFT_JOB_BASE);
  }

  /// Body of the fibre: start-up, driver and EXIT, as in crt0.S on RV32.
  static boost::context::fiber run(boost::context::fiber&& stepper) {
    running_host->stepper_ = std::move(stepper);
    const NativeHost::Entry entry = running_host->entry_;
    const int code = running_host->boots_ ? weft_boot(entry) : entry();
    running_host->port_.write(WEFT_REG_EXIT, static_cast<std::uint32_t>(code));
    running_host->state_ = ProcessorState::kHalted;
    return std::move(running_host->stepper_);
  }
};

NativeHost::NativeHost(Entry entry, Memory memory, const Job& job)
    : entry_(entry),
      boots_(job.start == WEFT_START_NETWORK),
      port_(memory.bytes(), job.controllers),
      memory_(std::move(memory)) {
  place_job(memory_, job);
  port_.set_rank(job.rank);
  try {
    driver_ =
        boost::context::fiber(std::allocator_arg, ToldStack{&stack_base_}, NativePrimitives::run);
  } catch (const std::bad_alloc&) {
    throw ConfigError(
        fmt::format("no room for the stack of native node {} of {} (the system allows a process "
                    "vm.max_map_count maps of memory, two for each stack): expected: processor "
                    "\"rv32\" for so many nodes",
                    job.rank, job.nodes));
  }
}

void NativeHost::resume() {
  if (pause_ != 0) {
    --pause_;
    return;
  }
  static thread_local const StackGuard guard;
  reads_ = 0;
  pauses_ = false;
  running_host = this;
  driver_ = std::move(driver_).resume();
  running_host = nullptr;
}

NativeHost::Entry load_native_program(const std::string& path) {
  read_file(path);  // The loader would wait for a pipe.
  // With a slash in the path, dlopen does not search for it elsewhere.
  void* const library = dlopen(std::filesystem::absolute(path).c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    throw ConfigError(fmt::format(
        "{}: expected: a program of weft cc --native, for processor native: {}", path, dlerror()));
  }
  void* const entry = dlsym(library, "weft_main");
  if (entry == nullptr) throw ConfigError(fmt::format("{}: it has no weft_main", path));
  return reinterpret_cast<NativeHost::Entry>(entry);
}

}  // namespace weft

extern "C" {

std::uint32_t weft_reg_read(std::uint32_t reg) {
  return weft::NativePrimitives::read(reg);
}

void weft_reg_write(std::uint32_t reg, std::uint32_t value) {
  weft::NativePrimitives::write(reg, value);
}

void weft_wfi(void) {
  weft::NativePrimitives::sleep();
}

void weft_pause(std::uint32_t cycles) {
  weft::NativePrimitives::pause(cycles);
}

void* weft_mem(std::uint32_t address) {
  return weft::NativePrimitives::memory(address);
}

void weft_print(const char* text, std::uint32_t value) {
  weft::NativePrimitives::tell(WEFT_REG_PRINT, text, value);
}

void weft_result(const char* name, std::uint32_t value) {
  weft::NativePrimitives::tell(WEFT_REG_RESULT, name, value);
}

void weft_fail(const char* text, std::uint32_t value) {
  weft::NativePrimitives::tell(WEFT_REG_FAIL, text, value);
}

void weft_phase(const char* name) {
  weft::NativePrimitives::phase(name);
}

const struct weft_job* weft_job(void) {
  return weft::NativePrimitives::job();
}
}
