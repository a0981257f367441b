#!/usr/bin/env bash
# Rewrites the table of keys in sim/config/README.md, as `weft list keys --markdown` prints it.
set -euo pipefail
cd "$(dirname "$0")/.."
if [[ ${1:-} == -* ]]; then
  echo "usage: scripts/keys.sh [WEFT]    default: build/weft"
  exit $([[ $1 == -h || $1 == --help ]] && echo 0 || echo 2)
fi
weft=${1:-build/weft}
readme=sim/config/README.md
table=$("$weft" list keys --markdown)
{
  sed '/^| key /,$d' "$readme"
  echo "$table"
} >"$readme.new"
mv "$readme.new" "$readme"
