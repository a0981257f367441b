#!/usr/bin/env bash
# Random and mutated inputs for the command, for some time.
#   scripts/fuzz.sh KIND [SECONDS [SEED]] [OPTIONS]
# KIND (tests/fuzz/README.md) is one of tests/fuzz/fuzz.py; SECONDS (60) and SEED (1, of the first
# case); OPTIONS of tests/fuzz/fuzz.py, such as --count 1. Takes build/weft as it is, or $WEFT, such
# as build/asan/weft. With package afl++ parsers have half of the time under afl-fuzz.
set -euo pipefail
cd "$(dirname "$0")/.."
kind=${1:-}
if [[ ! $kind || $kind == -* ]]; then
  sed -n '2,6s/^# \{0,1\}//p' "$0"
  python3 -B tests/fuzz/fuzz.py --help
  [[ $kind == -h || $kind == --help ]] && exit 0 || exit 2
fi
shift
seconds=60 seed=1
for name in seconds seed; do
  [[ ${1:-} =~ ^[0-9]+$ ]] || break
  declare "$name=$1"
  shift
done
weft=${WEFT:-build/weft}
if [[ ! -x $weft ]]; then
  echo "$weft: no such program: scripts/run.sh builds build/weft" >&2
  exit 2
fi

# afl SECONDS: the harness under afl-fuzz, with sanitizers. What it finds is left in
# build/fuzz/afl-KIND and shrunk by afl-tmin.
afl() {
  local out=build/fuzz/afl-$kind harness=build/afl/tests/fuzz_harness log
  log=$(mktemp)
  # The compiler is Clang, since afl-g++-fast refuses the GCC of Debian 12.
  if ! { cmake -B build/afl -G Ninja -DCMAKE_C_COMPILER=afl-clang-fast \
    -DCMAKE_CXX_COMPILER=afl-clang-fast++ -DWEFT_SANITIZE=address,undefined &&
    cmake --build build/afl --target fuzz_harness; } >"$log" 2>&1; then
    tail -n 3 "$log" >&2
    rm -f "$log"
    echo "the harness cannot be built for afl-fuzz: the mutator of tests/fuzz alone" >&2
    return 0
  fi
  rm -rf "$log" "$out"
  mkdir -p "$out"
  export AFL_NO_UI=1 AFL_SKIP_CPUFREQ=1 AFL_NO_AFFINITY=1 AFL_I_DONT_CARE_ABOUT_MISSING_CRASHES=1
  export AFL_QUIET=1
  if ! afl-fuzz -m none -t 2000+ -s "$seed" -V "$1" -i "tests/fuzz/corpus/$kind" -o "$out" \
    -x "tests/fuzz/corpus/$kind.dict" -- "$harness" "$kind" >"$out/log" 2>&1; then
    tail -n 30 "$out/log" >&2
    return 2
  fi
  local stats=$out/default/fuzzer_stats number found=0 file
  number=$(sed -n 's/^execs_done *: //p' "$stats")
  for file in "$out"/default/crashes/id* "$out"/default/hangs/id*; do
    [[ -e $file ]] || continue
    found=$((found + 1))
    afl-tmin -m none -t 2000 -i "$file" -o "$file.small" -- "$harness" "$kind" \
      >/dev/null 2>&1 || cp "$file" "$file.small"
    echo "afl-fuzz: $harness $kind fails; smallest: $file.small"
  done
  echo "$kind: afl-fuzz tried $number inputs, kept $(sed -n 's/^corpus_count *: //p' "$stats");" \
    "$found failures"
  ((found == 0))
}

status=0 harness=()
if [[ -d tests/fuzz/corpus/$kind ]]; then  # The kind belongs to a parser.
  [[ -x build/tests/fuzz_harness ]] && harness=(--harness build/tests/fuzz_harness)
  if [[ " $* " != *" --count"* ]]; then  # A count means cases of the mutator.
    if command -v afl-clang-fast++ >/dev/null && command -v afl-fuzz >/dev/null; then
      seconds=$(((seconds + 1) / 2))
      afl "$seconds" || status=$?
    else
      echo "no afl-fuzz (package afl++): the mutator of tests/fuzz alone" >&2
    fi
  fi
fi
python3 -B tests/fuzz/fuzz.py "$weft" "$kind" "$seconds" "$seed" "${harness[@]}" "$@" || status=$?
exit "$status"
