#!/usr/bin/env bash
# How much networks accept: a torus where every node offers one flit a cycle (interfaces start a
# packet in every cycle; uniform traffic loses least where they inject on one VC, or the oldest
# packet goes first), a dragonfly by its routing.
source "$(dirname "$0")/lib.sh"

accepted() {  # VCS PACKET_FLITS OPTION...
  $weft run torus32_uniform --set topology.dims=[8,8] --set workload.rate=1 \
    --set router.vcs="$1" --set workload.packet_flits="$2" "${@:3}" --json run.json \
    >run.log 2>&1 || fail "a run: $(cat run.log)"
  field run.json accepted_rate
}
at_least() {  # RATE VCS PACKET_FLITS OPTION...
  local got
  got=$(accepted "${@:2}")
  python3 -c 'import sys; sys.exit(float(sys.argv[1]) < float(sys.argv[2]))' "$got" "$1" ||
    fail "$got, not $1 flits a node and cycle: VCs, flits of a packet, options ${*:2}"
}

# To the next node: no two packets want the same link, and each link carries a flit in every cycle.
for engine in model flit; do
  at_least 0.999 2 1 --set workload.traffic=neighbour --engine $engine
done
for option in nic.in_order=true 'router.arbiter="age"'; do
  at_least 0.52 2 1 --set "$option"
  at_least 0.57 4 1 --set "$option"
  at_least 0.45 2 4 --set "$option"
  at_least 0.535 4 4 --set "$option"
done

# A dragonfly: UGAL accepts 0.9 of what the better of direct and Valiant's routing does, under
# uniform traffic and with each group sending to the next.
dragonfly() {  # TRAFFIC ROUTING RATE
  $weft run torus32_uniform --set 'topology={"kind": "dragonfly", "p": 2, "a": 4, "h": 2}' \
    --set router='{"vcs": 8, "vc_depth": 16, "routing": "'"$2"'"}' \
    --set workload='{"traffic": "'"$1"'", "rate": '"$3"', "packet_flits": 1, "warmup": 1000,
      "measure": 3000, "drain": 0}' --json run.json >run.log 2>&1 || fail "$*: $(cat run.log)"
  field run.json accepted_rate
}
while read -r traffic better rate; do
  best=$(dragonfly "$traffic" "$better" 1)
  for try in 0.45 "$rate"; do best+=" $(dragonfly "$traffic" "$better" "$try")"; done
  got=$(dragonfly "$traffic" ugal "$rate")
  python3 -c 'import sys; got, *best = map(float, sys.argv[1:]); sys.exit(got < 0.9 * max(best))' \
    "$got" $best || fail "dragonfly, $traffic: ugal $got, $better $best"
done <<'END'
uniform auto 0.9
next_group valiant 0.45
END

finish
