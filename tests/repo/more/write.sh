#!/usr/bin/env bash
# Every topology, traffic pattern and collective once more: a copy of its one file, in which its
# name has become NAME_scratch in the entry for the register alone. write.sh DIR: into
# DIR/sim/topology, DIR/sim/traffic and DIR/sw/collectives.
set -euo pipefail
source_dir=$(cd "$(dirname "$0")/../../.." && pwd)
to=$1

write() {
  local folder=$1 ending=$2 entry=$3 file name copy copies=0
  mkdir -p "$to/$folder"
  rm -f "$to/$folder"/*.new
  for file in "$source_dir/$folder"/*"$ending"; do
    name=$(basename "$file" "$ending")
    grep -qzE "${entry/NAME/$name}" "$file" || continue
    copy=$to/$folder/${name}_scratch$ending.new
    sed -zE -e "s/(${entry/NAME/$name})/\1_scratch/" \
      -e "s/(\.(kind|name) = \"$name)\"/\1_scratch\"/" "$file" >"$copy"
    copies=$((copies + 1))
  done
  [ "$copies" -gt 0 ] || { echo "FAIL: nothing to copy in $folder" >&2; exit 1; }
  # Those that are the same keep their time, so that they are not compiled again.
  for file in "$to/$folder"/*"$ending"; do
    [ -e "$file" ] && ! cmp -s "$file" "$file.new" && rm "$file"
  done
  for file in "$to/$folder"/*.new; do
    [ -e "${file%.new}" ] && rm "$file" || mv "$file" "${file%.new}"
  done
}
write sim/topology .cpp 'extern const Topology topology_NAME'
write sim/traffic .cpp 'extern const TrafficPattern traffic_NAME'
write sw/collectives .c 'WEFT_COLLECTIVE(_WITH)?\(\s*NAME'
