#!/usr/bin/env bash
# Table 1 of seed 001: exact figures of `weft topo` beside the paper's, as CSV on standard output.
# With the word "quick" networks of 1,024 nodes only. The command is in WEFT.
set -euo pipefail
echo 'network,nodes,degree_in,degree_out,diameter,mean_distance,paper_mean_distance,unit'

# row NAME TOPOLOGY
row() {
  "$WEFT" topo seed001_mdce --set router.vcs=null --set topology="$2" --json - |
    awk -v name="$1" '
      function value(line) {
        sub(/^[^:]*: */, "", line)
        gsub(/,$|"/, "", line)
        return line
      }
      /"paper": [{]/ { paper = 1 }
      paper && /"table1":/ { printed = value($0) }
      paper && /}/ { paper = 0 }
      /^  "(nodes|degree_in|degree_out|diameter|mean_distance|distance_unit)":/ {
        key = $1; gsub(/[":]/, "", key); field[key] = value($0)
      }
      END {
        print name "," field["nodes"] "," field["degree_in"] "," field["degree_out"] "," \
          field["diameter"] "," field["mean_distance"] "," printed "," field["distance_unit"]
      }'
}

row '(CB)^2' '{"kind": "mdce", "n": 4, "B": 2, "C": 0}'
row CCCB '{"kind": "mdce", "n": 4, "B": 1, "C": 1}'
row CB '{"kind": "dce", "n": 8, "y_bits": 7, "delta": 1}'
row CCC '{"kind": "dce", "n": 8, "y_bits": 7, "delta": 0}'
row 2DM '{"kind": "mesh", "dims": [32, 32]}'
row 2DT '{"kind": "torus", "dims": [32, 32]}'
row 3DT '{"kind": "torus", "dims": [8, 8, 16]}'
row FT '{"kind": "fat_tree", "levels": 10}'
row MIN '{"kind": "omega", "levels": 10}'
[[ ${1:-} == quick ]] && exit
row '(CB)^2' '{"kind": "mdce", "n": 8, "B": 2, "C": 0}'
row CCCB '{"kind": "mdce", "n": 8, "B": 1, "C": 1}'
row CB '{"kind": "dce", "n": 16, "y_bits": 15, "delta": 1}'
row CCC '{"kind": "dce", "n": 16, "y_bits": 15, "delta": 0}'
row 2DM '{"kind": "mesh", "dims": [1024, 512]}'
row 2DT '{"kind": "torus", "dims": [1024, 512]}'
row 3DT '{"kind": "torus", "dims": [64, 64, 128]}'
row FT '{"kind": "fat_tree", "levels": 19}'
row MIN '{"kind": "omega", "levels": 19}'
