#!/usr/bin/env bash
# One-line mutations of the RTL: each must make its block's bench report a difference or a failed
# assertion. A mutant that Verilator refuses, or that the bench passes, fails the run.
set -euo pipefail
if [[ ${1:-} == -h || $# == 0 ]]; then
  echo "usage: scripts/mutate.sh [--changed] BUILD_DIR [BLOCK]..."
  echo "All blocks or these; --changed: 12 mutants of each block changed since all were found,"
  echo "and 24 of these together."
  [[ ${1:-} == -h ]] && exit 0 || exit 2
fi
changed=
[[ $1 != --changed ]] || { changed=1; shift; }
build=$(cd "$1" && pwd)
shift
source "$(dirname "${BASH_SOURCE[0]}")/rtl_checks.bash"
cycles=50000
most=12
most_jobs=24  # Otherwise a change of what all benches share would take half an hour.
export build cycles

bench() {  # RTL-folder cache-folder block first-point
  # Far more than any bench takes: most is building, several times as long on a loaded computer.
  # Most mutants are found in the first cycles: what the compiler would save is not worth its time.
  # Nothing is compiled twice.
  CCACHE_DISABLE=1 WEFT_RTL_DIR=$1 WEFT_CACHE=$2 WEFT_VERILATED_OPT=-O0 \
    timeout 600 "$build/tb/${3}_tb" --cycles "$cycles" --first "$4"
}

mutant_line() {
  local group_block=$1 name first=1 folder output points status=0 block start=$EPOCHREALTIME
  [[ $1 == *' '* ]] && group_block=${1%% *} name=${1#* }
  [[ ${name:-} == *@* ]] && first=${name#*@} name=${name%@*}
  block=${group_block#*/}
  if [[ ! -x $build/tb/${block}_tb ]]; then
    echo "FAILED $1: no program $build/tb/${block}_tb"
    return
  fi
  folder=$(mktemp -d "$tmp/mutant.XXXX")
  if [[ -z ${name:-} ]]; then
    # The block as it is; libraries built already are welcome.
    output=$("$build/tb/${block}_tb" --cycles "$cycles" 2>&1) || status=$?
    [[ $status == 0 ]] && echo "ok     passes $block" || echo "FAILED $block unchanged: $output"
    return
  fi
  cp -r "$rtl" "$folder/rtl"
  mutate "$group_block" "$name" "$folder/rtl"
  output=$(bench "$folder/rtl" "$folder/cache" "$block" "$first" 2>&1) || status=$?
  points=$(find "$folder/cache" -name '*.lock' 2> "$folder/none" | wc -l)
  rm -rf "$folder"
  if [[ $output =~ ^FAILED\ [^\ ]*verilator ]]; then
    echo "FAILED $1: not a legal mutation: $(grep -m 1 '^%Error' <<< "$output")"
    return
  fi
  output=$(tail -n 1 <<< "$output")
  if [[ $status == 1 && $output =~ (seed|ssert) ]]; then
    printf 'ok     found %s (%.1f s, points: %d): %s\n' "$1" "$(bc <<< "$EPOCHREALTIME - $start")" \
      "$points" "${output#FAILED }"
  else
    echo "FAILED $1: status $status: $output"
  fi
}
export -f bench

# The block as it is, then its mutants. A block without mutations gets a line that fails.
mutants() {  # kind group/block
  echo "$2"
  sed -n "s|^\([a-z0-9_@]*\): .* ==> .*|$2 \1|p" "$formal/$2.mutations" 2> "$tmp/missing" |
    grep . || echo "$2 none"
}

# The block's modules, its bench, and what that includes of tb/ and of the blocks' models, each
# header with its .cpp. Deeper files hardly affect what a bench finds.
bench_files() {  # group/block
  local open=("tb/${1}_tb.cpp" tb/lib/bench.cpp) seen=() file
  while ((${#open[@]})); do
    file=${open[0]} open=("${open[@]:1}")
    [[ " ${seen[*]} " != *" $file "* && ($file == tb/* || -d rtl/$(cut -d/ -f2 <<< "$file")) ]] ||
      continue
    seen+=("$file")
    open+=($(sed -n 's|^#include "\(.*\)"|\1|p' "$file") $(compgen -G "${file%.hpp}*.cpp" || true))
  done
  sources rtl "rtl/$(source_of "$1")"
  echo "${seen[@]}"
}

run_recorded mutate mutants bench_files mutant_line "$@"
