#!/usr/bin/env bash
# The barrier tree and the combining tree follow the network: their time grows with its links, all
# engines have the same, and so has a run that goes on from a checkpoint while words are on edges.
source "$(dirname "$0")/lib.sh"

cat >c.json <<'EOF'
{"topology": {"kind": "torus", "dims": [9, 9]}, "processor": "native", "combining": "tree",
 "workload": {"collective": "allreduce_tree", "bytes": 64}}
EOF
# Cycles and digest of a run.
figures() {
  rm -f r.json
  expect 0 "" $weft run c.json --json r.json "$@" >&2
  echo "$(field r.json /cycles) $(field r.json /digest)"
}
# Way up and down again: 8 links of 1 and of 31 cycles, and one way alone is in the bound.
short=$(figures) long=$(figures --set link.stages=30)
[[ $((${long% *} - ${short% *})) == $((2 * 8 * 30)) ]] || fail "$short, $long: not 480 cycles more"
bound=$(field r.json /bound_cycles)
[[ $bound -ge $((8 * 31)) ]] || fail "the bound $bound is below one way across the network"
barrier=(--set combining=none --set barrier=hardware
  --set workload='{"collective": "barrier_tree"}')
# Of the nodes that enter first all may be the deepest.
at_once=("${barrier[@]}" --set workload.spread=1)
short=$(figures "${at_once[@]}") long=$(figures "${at_once[@]}" --set link.stages=30)
more=$((${long% *} - ${short% *}))
((more >= 479 && more <= 481)) || fail "$short, $long: $more, not 480 cycles more"

# All engines.
reduces=(--set workload='{"collective": "allreduce_tree", "bytes": 640, "type": "fp32"}')
alike() {
  local model engine
  model=$(figures "$@")
  for engine in $engines; do
    is "$(figures "$@" --engine $engine)" "$model" "$engine against model: $*"
  done
}
engines="flit cosim rtl rtl-top"
small=(--set topology='{"kind": "mesh", "dims": [3, 2]}')
alike "${small[@]}" "${reduces[@]}" --set link.stages=3
# Edges over two links, with more registers than one block has.
engines="flit rtl-top"
far=(--set topology='{"kind": "tree", "radix": 2, "levels": 2}' --set link.stages=200)
alike "${far[@]}" "${barrier[@]}"
alike "${far[@]}" "${reduces[@]}"
# No unit holds a release for so long.
for command in run emit; do
  more=$([[ $command == run ]] || echo "-o top")
  expect 2 "the barrier tree is 131072 cycles deep, expected: 8191 at most" $weft $command \
    c.json "${barrier[@]}" --set topology='{"kind": "ring", "nodes": 1024}' \
    --set link.stages=255 $more
done
# Sums in the order of the tree: floating-point numbers tell another one apart.
for kind in '{"kind": "ring", "nodes": 7}' '{"kind": "fat_tree", "levels": 3}' \
  '{"kind": "board", "dims": [2, 2, 1, 1], "mains": 4, "aggregators": 2}'; do
  expect 0 "0 differ" $weft run c.json --set topology="$kind" --set workload.bytes=4096 \
    --set workload.type=fp32
done

# From a checkpoint, when what the leaves have sent is on its way along the edges; on two processes.
all=("${small[@]}" "${reduces[@]}" --set link.stages=30 --set processor=rv32)
whole=$(figures "${all[@]}")
for cycle in 60 150 250; do
  for engine in model flit; do
    expect 1 "" $weft run c.json "${all[@]}" --engine $engine --checkpoint $engine.ckpt \
      --set max_cycles=$cycle
  done
  is "$(figures "${all[@]}" --resume model.ckpt)" "$whole" "model from cycle $cycle"
  for engine in flit cosim rtl; do
    is "$(figures "${all[@]}" --engine $engine --resume flit.ckpt)" "$whole" \
      "$engine from cycle $cycle"
  done
done
start_mpi || finish
for engine in model flit; do
  expect 0 "" $mpi 2 $weft run c.json "${all[@]}" --engine $engine --json two.json
  is "$(field two.json /cycles) $(field two.json /digest)" "$whole" "$engine on two processes"
done
one=$(figures "${small[@]}" --set link.stages=30 "${barrier[@]}")
expect 0 "" $mpi 2 $weft run c.json "${small[@]}" --set link.stages=30 "${barrier[@]}" \
  --json two.json
is "$(field two.json /cycles) $(field two.json /digest)" "$one" "a barrier on two processes"
finish
