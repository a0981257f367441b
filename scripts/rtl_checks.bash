# Common to lint.sh, prove.sh, equiv.sh, mutate.sh, area.sh and coverage.sh: the blocks, their check
# files, two jobs at a time. A block is found by its path, rtl/<group>/weft_<block>.sv; what is
# checked of it is in tests/formal/<group>/<block>.checks and .mutations (tests/formal/README.md).

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
rtl=$root/rtl
formal=$root/tests/formal
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
export root rtl formal tmp

# The blocks, as group/block; with arguments those of these names only.
blocks() {
  local path block
  for path in "$rtl"/*/weft_*.sv; do
    block=$(basename "$path" .sv) block=${block#weft_}
    if [[ $# == 0 || " $* " == *" $block "* ]]; then
      echo "$(basename "$(dirname "$path")")/$block"
    fi
  done
}

# The source of group/block in rtl/.
source_of() {  # group/block
  echo "${1%/*}/weft_${1#*/}.sv"
}

# The packages and modules that these files are or name, directly or not, packages first: tools
# spend more time on reading all of rtl/ than on most blocks.
sources() {  # RTL-folder file...
  local folder=$1 seen=' weft_pkg ' file word
  shift
  local packages=("$folder/weft_pkg.sv") files=() open=("$@")
  while ((${#open[@]})); do
    file=${open[0]} open=("${open[@]:1}")
    for word in $(grep -oE '\bweft_[a-z0-9_]+' "$file" | sort -u); do
      [[ $seen != *" $word "* ]] || continue
      seen+="$word "
      [[ ! -f $folder/$word.sv ]] || packages+=("$folder/$word.sv")
      for file in "$folder"/*/"$word.sv"; do
        [[ ! -f $file ]] || files+=("$file") open+=("$file")
      done
    done
  done
  echo "${packages[*]} ${files[*]}"
}

# The lines of one kind in a block's check file, each with the block instead of the kind. A block
# without any gets one that fails: no block is left out silently.
check_lines() {  # kind group/block
  sed -n "s|^$1 |$2 |p" "$formal/$2.checks" 2> "$tmp/missing" | grep . || echo "$2"
}

# Parameters NAME=VALUE in the form of a tool: PREFIX NAME SEPARATOR VALUE.
params() {  # prefix separator NAME=VALUE...
  local prefix=$1 separator=$2 word
  shift 2
  for word in "$@"; do
    [[ $word == small || $word == weft_pkg.* || $word == without=* || $word == opaque=* ]] &&
      continue
    echo -n "$prefix${word%%=*}$separator${word#*=} "
  done
}

# Yosys commands that make a module with its parameters the top. (`hierarchy -chparam` of Yosys 0.23
# stops with an internal error on some parameter sets.)
yosys_top() {  # module NAME=VALUE...
  local top=$1 set
  shift
  set=$(params '-set ' ' ' "$@")
  [[ -z $set ]] || echo "chparam $set $top"
  echo "hierarchy -check -top $top"
}

# A Yosys command on the cells of all blocks of the words `opaque=BLOCK,...`, with parameters or
# without: the circuit goes on without what is in them.
opaque() {  # command NAME=VALUE...
  local command=$1 word block
  shift
  for word in "$@"; do
    [[ $word == opaque=* ]] || continue
    word=${word#opaque=}
    for block in ${word//,/ }; do
      block=weft_$block
      echo "select -assert-any t:$block t:*\\$block t:*\\$block\\*"
      echo "$command t:$block t:*\\$block t:*\\$block\\*"
    done
  done
}

# A copy of the sources in which figures of the package are replaced: words weft_pkg.NAME=VALUE, or
# `small` for a set of them, of which such words replace some. Small figures keep a proof small, and
# no block's function depends on them.
copy_rtl() {  # folder word...
  local folder=$1 word name
  shift
  cp -r "$rtl"/. "$folder"
  if [[ " $* " == *' small '* ]]; then
    set -- weft_pkg.{AddrW=2,OffW=3,LenW=2,TagW=2,MemAddrW=4,MsgLenW=3,GapW=2,CountW=3} "$@"
  fi
  for word in "$@"; do
    [[ $word == weft_pkg.* ]] || continue
    name=${word%%=*} name=${name#weft_pkg.}
    grep -q " $name = " "$folder/weft_pkg.sv" || { echo "no $name in weft_pkg.sv"; return 1; }
    sed -i "s/ $name = .*;/ $name = ${word#*=};/" "$folder/weft_pkg.sv"
  done
}

# One mutation of a block, applied in a copy of the sources. The text to be replaced must occur
# exactly once in the block's own file.
mutate() {  # group/block name folder-of-the-copy
  python3 - "$formal/$1.mutations" "$2" "$3/$(source_of "$1")" <<'PYTHON'
import sys
listing, name, target = sys.argv[1:]
found = []
for number, line in enumerate(open(listing), 1):
    if not line.strip() or line.startswith("#"):
        continue
    head, colon, rest = line.rstrip("\n").partition(": ")
    old, arrow, new = rest.partition(" ==> ")
    if not colon or not arrow:
        sys.exit(f"{listing}:{number}: expected 'name: old ==> new'")
    if head.partition("@")[0] == name:
        found.append((old, new))
if len(found) != 1:
    sys.exit(f"{listing}: {len(found)} mutations named {name}")
old, new = found[0]
text = open(target).read()
if text.count(old) != 1:
    sys.exit(f"{listing}: {name}: '{old}' occurs {text.count(old)} times in {target}")
open(target, "w").write(text.replace(old, new))
PYTHON
}

# Runs `function line` for each line of standard input, two at a time. A job prints lines that begin
# with `ok` or `FAILED`; a job that ends badly without one counts as failed. Closes with the sum.
run_jobs() {  # title function
  local title=$1 function=$2 passed failed
  one_job() {
    local status=0 output
    output=$("$1" "$2" 2>&1) || status=$?
    if [[ $status != 0 || ! $output =~ (^|$'\n')(ok|FAILED) ]]; then
      output="FAILED $2"$'\n'"$output"
    fi
    printf '%s\n' "$output" | tee -a "$tmp/results"
  }
  export -f one_job "$function" params yosys_top opaque copy_rtl source_of sources mutate
  : > "$tmp/results"
  xargs -r -d '\n' -n 1 -P 2 bash -c 'set -euo pipefail; one_job "$0" "$1"' "$function"
  passed=$(grep -c '^ok' "$tmp/results" || true)
  failed=$(grep -c '^FAILED' "$tmp/results" || true)
  echo "$title: $passed passed, $failed failed"
  [[ $failed == 0 && $passed != 0 ]]
}

# The mutations of a block that its lines of one kind name: what else its list gains leaves what
# is recorded of that kind valid.
named_mutations() {  # kind group/block
  "$lines" "$1" "$2" | grep -oE '[a-z0-9_]+' | sort -u | sed 's/.*/^&[@:]/' |
    grep -f - "$formal/$2.mutations" || true
}

# Runs the checks of one kind for all blocks or those named, and records in tests/formal/checked
# each block that passes all of them: `KIND group/block CHECKSUM`, of its lines, the mutations that
# they name, its modules and what `files` names. With $changed set nothing is recorded, and of the
# blocks that have their line there only a fifth, drawn at random, run one check each, drawn at
# random, too; of each other at most $most, if that is set, drawn likewise, and of all of these
# $most_jobs, of each as many.
run_recorded() {  # kind lines-function files-function job-function block...
  local kind=$1 lines=$2 files=$3 job=$4 checked=$formal/checked block line status=0
  shift 4
  export LC_ALL=C  # One order everywhere.
  for block in $(blocks "$@"); do
    line=$(
      cd "$root"
      { "$lines" "$kind" "$block"
        named_mutations "$kind" "$block"
        cat rtl/include/weft_assert.svh $("$files" "$block")
      } | sha256sum | cut -c1-16
    )
    line="$kind $block $line"
    echo "$line" >> "$tmp/lines"
    if [[ -n $changed ]] && grep -qxF "$line" "$checked"; then
      "$lines" "$kind" "$block" | shuf -n 1 >> "$tmp/unchanged"
    elif [[ -n $changed && -n ${most:-} ]]; then
      "$lines" "$kind" "$block" | shuf -n "$most" | nl -w1 >> "$tmp/changed"
    else
      "$lines" "$kind" "$block"
    fi
  done > "$tmp/jobs"
  if [[ -s $tmp/unchanged ]]; then
    shuf -n $((($(wc -l < "$tmp/unchanged") + 4) / 5)) "$tmp/unchanged" >> "$tmp/jobs"
  fi
  if [[ -s $tmp/changed ]]; then
    # Not `head`: it may end before `sort` has written all, which then ends the script.
    sort -n -s -k1,1 "$tmp/changed" | sed "$((most_jobs + 1)),\$d" | cut -f2- >> "$tmp/jobs"
  fi
  run_jobs "$kind" "$job" < "$tmp/jobs" || status=$?
  [[ -z $changed ]] || return "$status"
  while read -r kind block line; do
    sed -i "\|^$kind $block |d" "$checked"
    grep -qE "^FAILED ([a-z]+ )?(${block%/*}/)?${block#*/}( |:|\$)" "$tmp/results" ||
      echo "$kind $block $line" >> "$checked"
  done < "$tmp/lines"
  sort -o "$checked" "$checked"
  return "$status"
}
