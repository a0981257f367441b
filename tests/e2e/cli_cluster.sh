#!/usr/bin/env bash
# Sweeps over processes by MPI, and as an array of a Slurm that is started here: one worker is
# killed in the middle, the same command goes on, and the tables are those of one process.
source "$(dirname "$0")/lib.sh"

# same DIR: its tables are those of one process.
same() {
  is "$(table "$1")" "$(table whole)" "$1/results.csv"
  cmp -s "$1/confidence.csv" whole/confidence.csv || fail "$1/confidence.csv differs"
}

cat >sweep.json <<'END'
{"base": {"topology": {"kind": "torus", "dims": [8, 8]}, "seed": 1,
          "workload": {"traffic": "uniform", "rate": 0.1, "warmup": 100, "measure": 60000}},
 "seeds": 2, "axes": [{"router.vc_depth": [4, 8]}, {"workload.rate": [0.1, 0.15, 0.2, 0.25, 0.3]}]}
END
expect 0 "points          20 (20 runs made now" $weft sweep sweep.json -o whole

export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
mpi="timeout 300 mpirun --oversubscribe -n 3"
has_mpi=yes
if [ ! -e "$(dirname "$weft")/libweft_mpi.so" ]; then
  has_mpi=
  echo "no MPI (packages openmpi-bin and libopenmpi-dev): not tried by MPI"
  OMPI_COMM_WORLD_SIZE=2 expect 2 "but this build has no MPI" $weft sweep sweep.json -o none
elif ! $mpi true >said 2>&1; then
  has_mpi=
  echo "MPI does not run here: not tried by MPI: $(tail -n 3 said)"
else
  # A process that is killed ends all; the same command makes the others.
  $mpi $weft sweep sweep.json -o processes >said 2>&1 &
  until_there processes/results.process-1.jsonl
  pkill -9 -n -f "sweep sweep.json -o processes"
  wait $! && fail "a sweep with a killed process ends with status 0"
  done_before=$(cat processes/results*.jsonl | wc -l)
  [ "$done_before" -lt 20 ] || fail "the process was killed too late"
  expect 0 "points          20 ($((20 - done_before)) runs made now" \
    $mpi $weft sweep sweep.json -o processes
  same processes
  is "$(find processes -name 'results.*.jsonl' | wc -l)" 0 "files of processes"
  # One process goes on as well.
  expect 0 "points          20 (0 runs made now, 20 found" $weft sweep sweep.json -o processes
  expect 2 "--shard: value 0/2: expected: none with mpirun" \
    $mpi $weft sweep sweep.json -o bad --shard 0/2
  expect 2 "started as one of 3 processes: expected: weft run" $mpi $weft topo torus_a2at
  expect 2 "sweep.jso" $mpi $weft sweep sweep.jso -o bad
  [ ! -e bad ] || fail "a refused sweep leaves a folder"
fi

if ! command -v slurmctld slurmd sbatch >/dev/null; then
  echo "no Slurm (package slurm-wlm): not tried as an array"
  finish
fi
# A Slurm of one machine, without accounts: whoever runs this is its only user.
mkdir -p slurm/state slurm/spool
port=$((20000 + RANDOM % 20000))
host=$(hostname -s)
export SLURM_CONF=$PWD/slurm/slurm.conf WEFT=$weft
cat >"$SLURM_CONF" <<END
ClusterName=weft
SlurmctldHost=$host(127.0.0.1)
AuthType=auth/none
CredType=cred/none
SlurmUser=$(id -un)
SlurmdUser=$(id -un)
StateSaveLocation=$PWD/slurm/state
SlurmdSpoolDir=$PWD/slurm/spool
SlurmctldPidFile=$PWD/slurm/slurmctld.pid
SlurmdPidFile=$PWD/slurm/slurmd.pid
SlurmctldPort=$port
SlurmdPort=$((port + 1))
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
ReturnToService=2
NodeName=$host NodeAddr=127.0.0.1 CPUs=$(nproc) State=UNKNOWN
PartitionName=all Nodes=ALL Default=YES
END
slurmctld -D >slurm/slurmctld.out 2>&1 &
controller=$!
slurmd -D >slurm/slurmd.out 2>&1 &
daemon=$!
end_slurm() {
  kill $daemon $controller 2>/dev/null
  wait $daemon $controller 2>/dev/null
  rm -rf "$work"
}
trap end_slurm EXIT
for ((i = 0; i < 100; ++i)); do
  sinfo -h -t idle -o %n 2>/dev/null | grep -q . && break
  sleep 0.1
done
if ((i == 100)) || ! timeout 60 srun -n 1 true >said 2>&1; then
  echo "Slurm does not run here: not tried as an array: $(tail -n 1 slurm/slurmctld.out)"
  finish
fi
cluster=$source_dir/scripts/cluster
array() {
  timeout 300 sbatch --wait --parsable --array=0-3 "$cluster/array.sbatch" sweep.json array
}
array >job 2>said &
until_there array/results.1-of-4.jsonl
scancel "$(squeue -h -r -t R -o %i | head -n 1)"
wait $! && fail "an array with a task that was killed ends with status 0"
expect 1 "points are missing" $weft merge sweep.json -o array
array >job 2>said || fail "an array that goes on: $(<said) $(cat slurm-*.out)"
expect 0 "points          20 of 20" $weft merge sweep.json -o array
same array
if [ -n "$has_mpi" ]; then
  timeout 300 sbatch --wait -n 2 "$cluster/processes.sbatch" sweep.json of_slurm >job 2>said ||
    fail "processes of a Slurm job: $(<said) $(cat slurm-*.out)"
  same of_slurm

  # One run, which a job ends early and the same command goes on with.
  echo '{"topology": {"kind": "torus", "dims": [4, 4]},
    "workload": {"traffic": "uniform", "rate": 0.2, "warmup": 100, "measure": 900}}' >run.json
  run() { timeout 300 sbatch --wait -n 2 "$cluster/run.sbatch" run.json run.ckpt 200 "$@"; }
  run --set max_cycles=500 >job 2>said && fail "a job that ends early has status 0"
  run --json resumed.json >job 2>said || fail "a run that goes on: $(<said) $(cat slurm-*.out)"
  $weft run run.json --json whole.json >said 2>&1
  grep -q "resumed from .*run.ckpt, cycle 500" resumed.json || fail "not resumed: $(<said)"
  is "$(differences whole.json resumed.json stepped "notes/resumed from" "notes/last checkpoint")" \
    "" "a run that goes on as another job"
fi
finish
