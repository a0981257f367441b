#!/usr/bin/env bash
# Checks that C and C++ are formatted as .clang-format says; with --fix formats them.
set -euo pipefail
cd "$(dirname "$0")/.."
case ${1:-} in
  '') how=(--dry-run --Werror) ;;
  --fix) how=(-i) ;;
  -h | --help)
    echo "usage: scripts/format.sh [--fix]"
    exit 0
    ;;
  *)
    echo "usage: scripts/format.sh [--fix]" >&2
    exit 2
    ;;
esac
find sim sw tb tests -name '*.hpp' -o -name '*.cpp' -o -name '*.h' -o -name '*.c' |
  xargs clang-format --style=file "${how[@]}"
