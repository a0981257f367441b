// Shared by all Verilated libraries, as part of the runtime's shared library: their context, and
// the functions that the runtime calls when an assertion fails or a model stops. These throw an
// exception with the source line instead of ending the process.
#include <unistd.h>

#include <cstdlib>
#include <string>

#include "sim/base/error.hpp"
#include "verilated.h"
#include "verilated_cov.h"

// A context that is never destroyed. One thread: otherwise the runtime would start threads for
// every context.
VerilatedContext* weft_own_context() {
  auto* const fresh = new VerilatedContext;
  fresh->threads(1);
  return fresh;
}

// One context for all instances, never destroyed: an instance's destructor uses the context that
// its thread used last, which must still be there.
VerilatedContext* weft_context() {
  static VerilatedContext* const context = weft_own_context();
  return context;
}

// Writes what was counted in a context to a new file in the folder $WEFT_COVERAGE.
void weft_write_coverage(VerilatedContext* context) {
  static int files = 0;
  const char* const folder = std::getenv("WEFT_COVERAGE");
  const std::string name = std::to_string(getpid()) + "-" + std::to_string(++files) + ".dat";
  context->coveragep()->write((std::string(folder) + "/" + name).c_str());
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
