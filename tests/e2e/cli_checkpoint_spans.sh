#!/usr/bin/env bash
# Checkpoints of one network on several processes where packets move as spans (checkpoint_lib.sh):
# the file has their parts, and what goes on with it is the same.
source "$(dirname "$0")/lib.sh"
start_mpi || finish
source "$source_dir/tests/e2e/checkpoint_lib.sh"

# moves_runs OPTION...: on engine model, from and to several divisions in the first call; in all
# calls on one division after the other.
moves_runs() {
  local at division before=1:2
  parted=1
  if [ -z "$moved_runs" ]; then
    moves "$@"
    moved_runs=1
  else
    whole_run "$@"
  fi
  grep -q "^stepped" said && fail "$* steps flits"
  rm -f run.ckpt
  for at in 40 90 91 150; do  # By 1:2, 1:1, 3:1 and 4:2.
    division=$((at % 4 + 1)):$((at % 2 + 1))
    on $before "$@" --set max_cycles=$at --checkpoint new.ckpt --every 1000000 \
      $([ ! -e run.ckpt ] || echo --resume run.ckpt) >said 2>&1
    mv new.ckpt run.ckpt
    before=$division
  done
  resume 3:1 150 "$@"
  parted=
}
moved_runs=

# Packets that move as spans: of routers and crossbars, with registers in links, with words that are
# read and combined on the way, cut into blocks of a grid.
config "$torus" "$uniform"
moves_runs
config '{"kind": "torus", "dims": [20, 4]}' "$uniform" '"link": {"stages": [0, 2]}'
moves_runs
config "$crossbars" "$uniform" '"nic": {"controllers": 2}'
moves_runs
config '{"kind": "crossbar_2d", "dims": [4, 8]}' "$uniform" '"link": {"parity": true},
  "faults": [{"node": 5, "cycle": 130, "bit": 20}, {"node": 9, "cycle": 170, "bit": 3}]'
moves_runs
config "$torus" '{"collective": "a2a", "message_flits": 6, "sync": "barrier"}' \
  '"barrier": "hardware", "start": "network"'
moves_runs
config "$torus" '{"collective": "allreduce_tree", "bytes": 2048, "type": "int64", "op": "sum"}' \
  '"combining": "tree"'
moves_runs
config "$torus" '{"collective": "allreduce_ring", "bytes": 512, "type": "int32", "op": "sum"}'
moves_runs
config "$crossbars" "$transfers"
moves_runs

finish
