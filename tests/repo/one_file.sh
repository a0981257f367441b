#!/usr/bin/env bash
# A topology, a traffic pattern, a collective is one file: builds a command that has each of them
# once more under a name that nothing else knows (more/write.sh), and runs it beside the one that it
# is a copy of. Status, cycles and digest must be the same, so that no code depends on a name.
#
# one_file.sh BUILD_DIR
set -euo pipefail
scratch=$1/one_file
weft=$1/weft_one_file
cmake --build "$1" --target weft_one_file >"$scratch/build.log" ||
  { tail -50 "$scratch/build.log"; exit 1; }
names() {
  basename -a "$scratch/$1"/*_scratch.* | sed 's/_scratch\..*//'
}
topologies=$(names sim/topology)
patterns=$(names sim/traffic)
collectives=$(names sw/collectives)

# The outcome of a run: status, cycles and digest, or the refusal without the name, from its key on,
# as long options are cut.
outcome() {
  local name=$1 output status=0
  shift
  output=$("$weft" run "$scratch/config.json" --set processor=native "$@" 2>&1) || status=$?
  if [ "$status" = 2 ]; then
    output=${output#*: /}
    echo "2 ${output//"$name"_scratch/"$name"}"
  else
    echo "$status $(grep -E '^(cycles|digest|errors) ' <<<"$output" | tr -s ' \n' ' ')"
  fi
}

failures=0
runs=0
# same NAME OPTION...: in the options @ stands for the name.
same() {
  local name=$1 own other
  shift
  own=$(outcome "$name" "${@//@/$name}")
  other=$(outcome "$name" "${@//@/${name}_scratch}")
  runs=$((runs + 1))
  [ "$own" = "$other" ] && return
  failures=$((failures + 1))
  printf 'FAIL: %s, and under another name\n  %s\n  %s\n' "${*//@/$name}" "$own" "$other"
}

echo '{"topology": {"kind": "torus", "dims": [4, 4]}, "max_cycles": 20000}' >"$scratch/config.json"
echo '{"routers": [{"name": "a"}, {"name": "b"}, {"name": "c"}], "nodes": ["a", "a", "b", "c"],
  "links": [{"from": "a", "to": "b"}, {"from": "b", "to": "c"}, {"from": "c", "to": "a"}]}' \
  >"$scratch/net.json"
small='"dims":[4,4]'
for kind in $topologies; do
  case $kind in
    full_crossbar) keys='"pes":16' ;;
    dce) keys='"n":3,"y_bits":3,"delta":1' ;;
    mdce) keys='"n":2,"B":1,"C":1,"P":1' ;;
    fat_tree | omega) keys='"levels":4' ;;
    ring) keys='"nodes":7' ;;
    hypercube) keys='"dimensions":3' ;;
    dragonfly) keys='"p":2,"a":2,"h":1' ;;
    tree) keys='"radix":2,"levels":3' ;;
    graph) keys="\"file\":\"$scratch/net.json\"" ;;
    board) keys='"dims":[2,2,2,1],"mains":2,"aggregators":2' ;;
    *) keys=$small ;;
  esac
  for collective in a2at hop_group allreduce_ring allreduce_nested; do
    same "$kind" --set "topology={\"kind\":\"@\",$keys}" \
      --set "workload={\"collective\":\"$collective\"}"
  done
  same "$kind" --set "topology={\"kind\":\"@\",$keys}" --set 'workload={"traffic":"uniform"}'
done
for pattern in $patterns; do
  same "$pattern" --set 'workload={"traffic":"@","measure":500}'
done
for collective in $collectives; do
  same "$collective" --set topology.dims=[5,5] --set 'workload={"collective":"@"}'
  same "$collective" --set 'topology={"kind":"board","dims":[2,2,2,1],"mains":2,"aggregators":2}' \
    --set 'workload={"collective":"@"}'
done
# Each is found by its own name too, so that a run that is refused proves something.
# Not in a pipe: grep ends at the first match, and weft would be killed while it writes.
found=$("$weft" list topologies)
for name in $topologies; do
  grep -q "^${name}_scratch " <<<"$found" || { echo "FAIL: no $name"; failures=1; }
done
echo "$runs runs, $failures differ"
[ "$failures" = 0 ]
