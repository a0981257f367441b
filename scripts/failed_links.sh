#!/usr/bin/env bash
# Random draws of dead links on torus and mesh 8 x 8: for each draw, the ways of all pairs of nodes
# through the tables are compared with other algorithms, and an all-to-all and uniform traffic run.
set -euo pipefail
cd "$(dirname "$0")/.."
usage='usage: scripts/failed_links.sh [DRAWS [SHARE]]
  DRAWS  of each network, 1 to 100000; default 1000
  SHARE  of the links between routers that are dead, for the runs; default 0.1
Results of the runs in build/failed_links/. WEFT=FILE takes that command, and tests/unit_tests
beside it, and builds nothing.'
if [[ ${1:-} == -h || ${1:-} == --help ]]; then
  echo "$usage"
  exit 0
fi
draws=${1:-1000} share=${2:-0.1}
if [[ ! $draws =~ ^[1-9][0-9]{0,4}$ || ! $share =~ ^(0?\.[0-9]+|1)$ || $# -gt 2 ]]; then
  echo "scripts/failed_links.sh: \"$*\": expected: up to two arguments, as below" >&2
  echo "$usage" >&2
  exit 2
fi
source scripts/packages.sh
weft=${WEFT:-build/weft}
if [[ -z ${WEFT:-} ]]; then
  weft_packages "${WEFT_TEST_PACKAGES[@]}"
  weft_build weft unit_tests
fi

echo "Tables followed, components by union-find, dependencies sorted (share 0.1):"
FAILED_DRAWS=$draws "$(dirname "$weft")"/tests/unit_tests \
  --test-case='failed networks: every connected*' |
  grep -v '^\[doctest\]'

folder=build/failed_links
rm -rf "$folder"
mkdir -p "$folder"
seeds=$(seq -s, 1 "$draws")
sweep() { # name workload
  cat >"$folder/$1.json" <<END
{"base": "$folder/base.json", "engine": "model",
 "set": {"workload": $2},
 "axes": [{"topology.kind": ["torus", "mesh"]}, {"topology.failed.seed": [$seeds]}]}
END
  "$weft" sweep -j1 "$folder/$1.json" -o "$folder/$1" >"$folder/$1.log" || {
    tail -n 5 "$folder/$1.log" >&2
    exit 1
  }
  local whole
  whole=$(grep -c 'no node is cut off' "$folder/$1/results.jsonl" || true)
  echo "$1: $(wc -l <"$folder/$1/results.jsonl") runs verified, $whole of them on whole networks"
}
cat >"$folder/base.json" <<END
{"topology": {"kind": "torus", "dims": [8, 8], "failed": {"share": $share}},
 "processor": "native", "workload": {"collective": "a2a", "message_flits": 1}}
END
echo "Simulated (share $share):"
sweep a2a '{"collective": "a2a", "message_flits": 1}'
cat >"$folder/base.json" <<END
{"topology": {"kind": "torus", "dims": [8, 8], "failed": {"share": $share}},
 "workload": {"traffic": "uniform"}}
END
sweep uniform '{"traffic": "uniform", "rate": 0.05, "warmup": 0, "measure": 500}'
