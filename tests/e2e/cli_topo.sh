#!/usr/bin/env bash
# Static figures: printed lines, JSON, the paper's figures beside them, unusable parameters.
source "$(dirname "$0")/lib.sh"

# Crossbars.
expect 0 "crosspoints     33792" $weft topo xbar256 --json topo.json
is "$(field topo.json nodes)" 256
is "$(field topo.json diameter)" 3
is "$(field topo.json deadlock_free)" True
expect 0 '"crosspoints": 143360' $weft topo xbar1024 --json -

# Trees beside the network: on a ring of 9 nodes 8 edges along a link each; a word has 64 bits.
expect 0 "barrier tree    4 cycles deep, 16 wires of a link's length" $weft topo torus_a2at \
  --set topology.dims=[9] --set barrier=hardware --set combining=tree --json topo.json \
  --set 'workload={"collective": "allreduce", "bytes": 64}'
is "$(field topo.json combining_tree/depth)" 4
is "$(field topo.json combining_tree/wires)" $((8 * 132))
expect 0 "barrier tree    248 cycles deep" $weft topo torus_a2at --set topology.dims=[9,9] \
  --set barrier=hardware --set link.stages=30 --set workload=null

# Seed 001: (1, 1, 1)-MDCE of 1,024 processors.
echo '{"topology": {"kind": "mdce", "n": 4, "B": 1, "C": 1}}' >mdce.json
figures=$($weft topo mdce.json --json figures.json) || fail "status of topo mdce.json"
has() {
  grep -qxF -e "$1" <<<"$figures" || fail "no line \"$1\" in: $figures"
}
has 'network         {"B":1,"C":1,"P":1,"kind":"mdce","n":4}'
has 'nodes           1024'
has 'degree          3 in, 3 out (links of a router to other routers, at most)'
has 'diameter        11 links between routers'
has "mean distance   6.83594 by the routing, 6.83594 by the shortest paths; \
a node to itself (0) counts"
has "seed 001        diameter 11 by (1), as counted; mean distance 6.4375 by (6), counted 6.83594; \
table 1 6.44, counted 6.83594"
has '                (6) is exact only without cube-connected cycles planes'
has 'links           3072 between routers, 2048 between nodes and routers'
has 'bisection       256 links across dimension 1 between 7 and 8; other halves may have fewer'
has 'VCs needed      3 for freedom from deadlock; links have 3'
has 'deadlock-free   yes'
by="translation symmetry of y (xor): nodes (x, 0) for each column x"
has "looked at       1048576 pairs of nodes (all there are, by $by)"
is "$(field figures.json mean_distance)" 6.8359375
is "$(field figures.json paper)" "{'diameter': 11.0, 'diameter_formula': '(1)', 'formula': '(6)', \
'mean_distance': 6.4375, 'note': '(6) is exact only without cube-connected cycles planes', \
'table1': 6.44}"
is "$(field figures.json distance_unit)" "links between routers"
is "$(field figures.json bisection)" 256
is "$(field figures.json bisection_cut)" "dimension 1 between 7 and 8"
is "$(field figures.json exact_by)" "$by"
is "$(field figures.json sampled)" False

# 512 K processors: known from a part.
$weft topo mdce.json --set topology.n=8 --json large.json >large.txt || fail "status of n = 8"
is "$(field large.json nodes)" 524288
is "$(field large.json pairs)" 274877906944
is "$(field large.json sampled)" False
is "$(field large.json paper/table1)" 14.49
is "$(field large.json exact_by)" "$by"

# Table 1 of other kinds; nothing of the paper where it says nothing.
topo() {
  $weft topo mdce.json --set "topology=$1" --json - || fail "status of topo $1"
}
topo '{"kind": "fat_tree", "levels": 10}' >tree.json
is "$(field tree.json paper/table1)" 17.0
is "$(field tree.json diameter)" 19
is "$(field tree.json distance_unit)" "switches passed"
topo '{"kind": "omega", "levels": 10}' >omega.json
is "$(field omega.json mean_distance)" 10.0
is "$(field omega.json degree_in)" 2
topo '{"kind": "dce", "n": 4, "y_bits": 3, "delta": 2}' >skip.json
! grep -q '"paper"' skip.json || fail "a figure of the paper for delta 2"

# System boards: 4 + 6 ports of a main, 8 + 2 of an aggregator.
topo '{"kind": "board", "dims": [3, 3, 3, 3]}' >board.json
is "$(field board.json nodes)" 972
is "$(field board.json degree_in)" 10
is "$(field board.json links)" 9720
is "$(field board.json diameter)" 7
is "$(field board.json sampled)" False
is "$(field board.json vcs_needed)" 2

# One VC fewer than needed: still figures, with a cycle.
expect 0 "deadlock-free   no: r_" $weft topo mdce.json --set router.vcs=2 --json two.json
is "$(field two.json vcs_needed)" 3
is "$(field two.json deadlock_free)" False
grep -q '" *: *"r_[0-9]* out [0-9] -> r_[0-9]* in [0-9] vc 1, waits for' two.json ||
  fail "no cycle in two.json: $(cat two.json)"

# Unusable parameters.
expect 2 "--set topology.n=0: /topology/n: value 0: expected: a whole number from 2" \
  $weft topo mdce.json --set topology.n=0
expect 2 "expected: B + C of 1 or more" $weft topo mdce.json --set topology.B=0 --set topology.C=0
expect 2 "expected: B + C up to 4 with n = 4" $weft topo mdce.json --set topology.C=6
expect 2 "/topology/delta: missing" \
  $weft topo mdce.json --set 'topology={"kind":"dce","n":4,"y_bits":4}'
expect 2 "/topology/y_bits: value 5: expected: 1 to 4" \
  $weft topo mdce.json --set 'topology={"kind":"dce","n":4,"y_bits":5,"delta":1}'
expect 2 "/topology/levels: value 0: expected: a whole number from 1 to 19" \
  $weft topo mdce.json --set 'topology={"kind":"omega","levels":0}'
expect 2 "/topology/P: value 9: expected" $weft topo mdce.json --set topology.P=9
finish
