// Shared by all Verilated libraries, as part of the runtime's shared library: their context, and
// the functions that the runtime calls when an assertion fails or a model stops. These throw an
// exception with the source line instead of ending the process.
#include <string>

#include "sim/base/error.hpp"
#include "verilated.h"

// One context for all instances, never destroyed: an instance's destructor uses the context that
// its thread used last, which must still be there. One thread: the runtime would otherwise start
// threads of its own for every context.
VerilatedContext* weft_context() {
  static VerilatedContext* const context = [] {
    auto* fresh = new VerilatedContext;
    fresh->threads(1);
    return fresh;
  }();
  return context;
}

void vl_finish(const char* file, int line, const char*) {
  throw weft::CheckError(std::string("$finish in ") + file + ":" + std::to_string(line));
}

void vl_stop(const char* file, int line, const char* scope) {
  throw weft::CheckError(std::string("assertion failed at ") + file + ":" + std::to_string(line) +
                         " in " + scope);
}

void vl_fatal(const char* file, int line, const char* scope, const char* message) {
  throw weft::CheckError(std::string(message) + " at " + file + ":" + std::to_string(line) +
                         " in " + scope);
}

void vl_warn(const char*, int, const char*, const char*) {}
