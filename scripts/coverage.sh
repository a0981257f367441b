#!/usr/bin/env bash
# Line and toggle coverage of the RTL by the lockstep benches, measured with Verilator: each block
# by its own bench. rtl/COVERAGE.md says what the figures mean.
set -euo pipefail
if [[ ${1:-} == -h || $# == 0 ]]; then
  echo "usage: scripts/coverage.sh BUILD_DIR [BLOCK]..."
  echo "All blocks, whose table replaces that in rtl/COVERAGE.md, or the table of these. What was"
  echo "measured is in BUILD_DIR/coverage, and is measured again when RTL or bench have changed."
  [[ ${1:-} == -h ]] && exit 0 || exit 2
fi
build=$(cd "$1" && pwd)
shift
source "$(dirname "${BASH_SOURCE[0]}")/rtl_checks.bash"
scripts=$root/scripts
folder=$build/coverage
cycles=100000
export build folder cycles
mkdir -p "$folder"

cover() {  # group/block
  local block=${1#*/} data=$tmp/$1 key start=$EPOCHREALTIME
  # The models are left out of the key: they are equal to the RTL.
  key=$(cat $(sources "$rtl" "$rtl/$(source_of "$1")") "$build/tb/${block}_tb" \
    "$rtl/include/weft_assert.svh" | sha256sum | cut -c1-16)
  key+=" $cycles"
  if [[ $(cat "$folder/$block.key" 2>/dev/null) != "$key" ]]; then
    # Each step ends the job if it fails: errexit is off in a job.
    mkdir -p "$data"
    WEFT_COVERAGE=$data WEFT_CACHE=$folder/libraries WEFT_VERILATED_OPT=-O0 \
      "$build/tb/${block}_tb" --cycles "$cycles" || return 1
    verilator_coverage --write "$folder/$block.dat" "$data"/*.dat || return 1
    rm -rf "$data"
    echo "$key" > "$folder/$block.key"
  fi
  printf 'ok     COVERAGE %s (%.1f s)\n' "$1" "$(bc <<< "$EPOCHREALTIME - $start")"
}

# The blocks with the fewest lines first: the last ones take longer than all others together.
by_size() {
  local block
  for block in $(blocks "$@"); do
    echo "$(cat $(sources "$rtl" "$rtl/$(source_of "$block")") | wc -l) $block"
  done | sort -n | cut -d' ' -f2
}
by_size "$@" > "$tmp/blocks"
status=0
run_jobs coverage cover < "$tmp/blocks" >&2 || status=1
python3 "$scripts/coverage_table.py" "$rtl" "$folder" $(sort "$tmp/blocks") > "$tmp/table" ||
  status=1
cat "$tmp/table"
if [[ $# == 0 ]]; then
  { sed "/^<!-- tables/q" "$rtl/COVERAGE.md" && echo && cat "$tmp/table"; } > "$tmp/COVERAGE.md"
  cp "$tmp/COVERAGE.md" "$rtl/COVERAGE.md"
fi
exit $status
