#!/usr/bin/env bash
# RTL and model of every block of small networks of routers and of crossbars are equal on every
# output in every cycle, with the hardware that they may have, and take the model's cycles.
source "$(dirname "$0")/lib.sh"

is "$(run_of xbar16 --engine cosim)" "$(run_of xbar16)" "crossbars, RV32 processors"
echo '{"topology": {"kind": "torus", "dims": [3, 2]}, "barrier": "hardware", "combining": "tree",
  "link": {"stages": 1}, "workload": {"collective": "allreduce_tree", "bytes": 256}}' >torus.json
is "$(run_of torus.json --engine cosim)" "$(run_of torus.json)" "a torus with trees, RV32"
echo '{"topology": {"kind": "mesh", "dims": [3, 2]}, "router": {"vcs": 2, "pipeline": 3},
  "workload": {"traffic": "uniform", "rate": 0.6, "warmup": 100, "measure": 900}}' >mesh.json
is "$(run_of mesh.json --engine cosim)" "$(run_of mesh.json)" "a mesh, traffic"
