#!/usr/bin/env bash
# Routing algorithms on small networks near saturation: models against RTL in every cycle, Verilated
# networks and networks as one module; collectives' data are right.
source "$(dirname "$0")/lib.sh"

# traffic TOPOLOGY ROUTING VCS ENGINE: uniform traffic near saturation.
traffic() {
  printf '{"topology": %s, "router": {"routing": "%s", "vcs": %s},
    "workload": {"traffic": "uniform", "rate": 0.6, "packet_flits": 4, "warmup": 50,
                 "measure": 250}}' "$1" "$2" "$3" >run.json
  $weft run run.json --engine "$4" --json "$4.json" >run.txt 2>&1 ||
    fail "$2 on $1, engine $4: $(tail -n 3 run.txt)"
}
# same ENGINE WHAT: its result is that of engine flit.
same() {
  is "$(field "$1.json" cycles) $(field "$1.json" digest)" \
    "$(field flit.json cycles) $(field flit.json digest)" "$2, engine $1"
}

mesh='{"kind": "mesh", "dims": [3, 3]}'
torus='{"kind": "torus", "dims": [3, 4]}'
dragonfly='{"kind": "dragonfly", "p": 1, "a": 2, "h": 1}'
hyperx='{"kind": "hyperx", "dims": [3, 3]}'

while read -r name vcs routing; do
  topology=${!name}
  for engine in flit cosim; do traffic "$topology" "$routing" "$vcs" $engine; done
  same cosim "$routing on $name"
done <<'END'
mesh 2 o1turn
torus 4 o1turn
mesh 2 valiant
torus 4 valiant
dragonfly 4 valiant
hyperx 2 valiant
mesh 2 ugal
torus 4 ugal
dragonfly 4 ugal
dragonfly 8 ugal
torus 6 ugal
hyperx 2 ugal
mesh 2 minimal_adaptive
torus 4 minimal_adaptive
END

# 64 nodes, and the whole network as one module.
for routing in ugal minimal_adaptive; do
  for engine in flit rtl; do
    traffic '{"kind": "mesh", "dims": [8, 8]}' $routing 2 $engine
  done
  same rtl "$routing on 64 nodes"
done
for engine in flit rtl-top; do traffic "$mesh" ugal 2 $engine; done
same rtl-top "ugal"

# Replies in VCs of their own.
while read -r name vcs; do
  printf '{"topology": %s, "router": {"message_classes": 2, "vcs": %s, "vc_depth": 3},
    "workload": {"traffic": "uniform", "rate": 0.3, "packet_flits": 2, "reply_flits": 4,
                 "warmup": 50, "measure": 250}}' "${!name}" "$vcs" >classes.json
  for engine in model cosim; do
    is "$(run_of classes.json --engine $engine)" "$(run_of classes.json --engine flit)" \
      "message classes on $name, engine $engine"
  done
done <<'END'
torus 8
dragonfly 4
END
is "$(run_of classes.json --engine rtl-top)" "$(run_of classes.json)" "message classes, rtl-top"
expect 2 '/router/message_classes: value 2: expected: 1 without replies' \
  $weft run classes.json --set workload.reply_flits=0
expect 2 '/router/message_classes: value 2: expected: 1 with routing "valiant"' \
  $weft run classes.json --set router.routing=valiant
expect 2 '/router/vcs: value 3: expected: 2, 4, 6 or 8 with message_classes 2' \
  $weft run classes.json --set router.vcs=3

# Packets overtake each other, and collectives' data are right all the same.
for routing in o1turn valiant ugal minimal_adaptive; do
  printf '{"topology": {"kind": "torus", "dims": [3, 3]}, "processor": "native",
    "router": {"routing": "%s", "vcs": 4}, "nic": {"packet_flits": 4},
    "workload": {"collective": "alltoall", "message_flits": 21}}' $routing >all.json
  $weft run all.json >all.txt 2>&1 || fail "alltoall, $routing: $(tail -n 3 all.txt)"
done

finish
