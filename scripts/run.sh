#!/usr/bin/env bash
# The main job: all-to-all on the 2-D crossbar network of 16 processors (seed 002, 4 x 4). The C
# driver runs on 16 RV32 processors; Verilated RTL and cycle models are compared in every cycle;
# every processor's memory is checked. Leaves result.json, waves and a GTKWave save file in
# build/run/.
set -euo pipefail
cd "$(dirname "$0")/.."
case ${1:-} in
  '') ;;
  -h | --help)
    echo "usage: scripts/run.sh    builds Weft and runs the main job; results in build/run/"
    echo "WEFT=FILE takes that command and builds nothing."
    exit 0
    ;;
  *)
    echo "scripts/run.sh takes no arguments; see -h" >&2
    exit 2
    ;;
esac
source scripts/packages.sh

weft=${WEFT:-build/weft}
if [[ -z ${WEFT:-} ]]; then
  weft_packages "${WEFT_RUN_PACKAGES[@]}"
  weft_build weft
fi
mkdir -p build/run
echo "running; the first time the blocks are verilated, which takes about a minute" >&2
"$weft" run xbar16 --engine cosim --json build/run/result.json --trace build/run/waves.fst
echo
echo "result          build/run/result.json"
echo "waves           gtkwave build/run/waves.gtkw"
