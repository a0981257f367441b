# Helpers of the end-to-end tests: sourced with the path of the `weft` command as $1.
weft=$1
source_dir=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
failures=0

fail() {
  echo "FAIL: $*"
  failures=$((failures + 1))
}

# expect STATUS TEXT COMMAND...: the command ends with STATUS and its output, standard error
# included, holds TEXT.
expect() {
  local status=$1 text=$2 output got
  shift 2
  output=$("$@" 2>&1)
  got=$?
  [ "$got" = "$status" ] || fail "status $got instead of $status: $*: $output"
  grep -qF -e "$text" <<<"$output" || fail "no \"$text\" in the output of: $*: $output"
}

# field FILE POINTER: a value of a JSON file.
field() {
  python3 -c 'import json, sys
value = json.load(open(sys.argv[1]))
for key in sys.argv[2].strip("/").split("/"):
    value = value[int(key)] if isinstance(value, list) else value[key]
print(value)' "$1" "$2"
}

# differences A B [LEFT_OUT...]: what two results do not have in common, other than times. LEFT_OUT:
# keys, "config/KEY", or "notes/TEXT", notes that begin so.
differences() {
  python3 -c 'import json, sys
left_out = ["wall_s", "flit_hops_per_s", *sys.argv[3:]]
notes = tuple(key[6:] for key in left_out if key.startswith("notes/"))
def result(file):
    all = json.load(open(file))
    for key in left_out:
        (all["config"] if key.startswith("config/") else all).pop(key.split("/")[-1], None)
    all["notes"] = [n for n in all.get("notes", []) if not n.startswith(notes)]
    return all
a, b = result(sys.argv[1]), result(sys.argv[2])
for key in sorted(a.keys() | b.keys()):
    if a.get(key) != b.get(key):
        print(f"{key}: {str(a.get(key))[:300]} and {str(b.get(key))[:300]}")' "$@"
}

# is GOT EXPECTED [WHAT]
is() {
  [ "$1" = "$2" ] || fail "\"$1\" instead of \"$2\"${3:+: $3}"
}

# table DIR: results.csv of a sweep without the columns of time.
table() {
  python3 -c 'import csv, sys
rows = list(csv.DictReader(open(sys.argv[1] + "/results.csv", newline="")))
for row in rows:
    print([value for name, value in row.items() if name not in ("wall_s", "flit_hops_per_s")])' "$1"
}

until_there() {  # FILE: waits until it has a line
  local i
  for ((i = 0; i < 3000; ++i)); do
    [ -s "$1" ] && return
    sleep 0.01
  done
  fail "no $1"
}

# run_of CONFIG OPTION...: what a run is, its cycles and digest; the result is in run.json.
run_of() {
  $weft run "$@" --json run.json >run.log 2>&1 || fail "status of run $*: $(<run.log)"
  python3 -c 'import json; r = json.load(open("run.json")); print(r["cycles"], r["digest"])'
}

# Sets `mpi`, after which the number of processes and their command come; fails where there is no
# MPI.
start_mpi() {
  if [ ! -e "$(dirname "$weft")/libweft_mpi.so" ]; then
    echo "no MPI (packages openmpi-bin and libopenmpi-dev): not tried by MPI"
    return 1
  fi
  export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
  mpi="timeout 300 mpirun --oversubscribe -n"
  $mpi 2 true >said 2>&1 && return
  echo "MPI does not run here: $(tail -n 3 said)"
  mpi=
  return 1
}

finish() {
  [ "$failures" = 0 ] || echo "$failures failures"
  exit $((failures > 0))
}
