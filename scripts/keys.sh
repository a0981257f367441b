#!/usr/bin/env bash
# Writes the table of keys in sim/config/README.md anew, as `weft list keys --markdown` gives it.
# Use: scripts/keys.sh [WEFT]
set -euo pipefail
cd "$(dirname "$0")/.."
weft=${1:-build/weft}
readme=sim/config/README.md
table=$("$weft" list keys --markdown)
{
  sed '/^| key /,$d' "$readme"
  echo "$table"
} >"$readme.new"
mv "$readme.new" "$readme"
