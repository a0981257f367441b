#!/usr/bin/env bash
# The unit tests with the address and the undefined-behaviour sanitizer, whose first report ends a
# program. They are built in a folder of their own, without debug information, which would take as
# long again: a report names functions. vc_router_test is left out: with sanitizers it takes five
# minutes, as long as all the others.
# Arguments: the build folder.
set -euo pipefail
build=$1/sanitized
cd "$(dirname "$0")/../.."
log=$(mktemp)
trap 'rm -f "$log"' EXIT
{ cmake -B "$build" -G Ninja -DWEFT_SANITIZE=address,undefined -DCMAKE_C_FLAGS_DEBUG= \
    -DCMAKE_CXX_FLAGS_DEBUG= && cmake --build "$build" --target unit_tests; } >"$log" 2>&1 || {
  cat "$log"
  exit 1
}

export UBSAN_OPTIONS=halt_on_error=1:print_stacktrace=1
one_file() { # BUILD FILE
  "$1/tests/unit_tests" --minimal --source-file="*/$(basename "$2")" 2>&1 ||
    { echo "FAIL: $2" && return 1; }
}
export -f one_file
printf '%s\n' tests/unit/*_test.cpp | grep -v /vc_router_test |
  xargs -P "$(nproc)" -I{} bash -c 'one_file "$0" {}' "$build"
