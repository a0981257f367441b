#!/usr/bin/env bash
# Every command of the manual: of each page the indented lines that begin with `build/weft `, and those
# that write the files which they need, run in their order, each with exit status 0. Engines rtl and
# cosim are small there: networks of 16 nodes.
source "$(dirname "$0")/lib.sh"

build=$(dirname "$(realpath "$weft")")
for page in README.md sim/README.md sw/README.md rtl/README.md tests/README.md; do
  mkdir -p "$work/$page"
  cd "$work/$page" || exit 1
  ln -s "$build" build
  ln -s "$source_dir/sw" sw
  # A line that ends in a backslash goes on in the next one.
  commands=$(sed -e ':more' -e '/\\$/{N;s/\\\n *//;b more' -e '}' "$source_dir/$page" |
    grep -E '^    (build/weft|echo|cp|riscv64-unknown-elf-gcc) ')
  grep -q 'build/weft' <<<"$commands" || fail "$page has no command"
  while IFS= read -r command; do
    output=$(bash -c "$command" 2>&1 </dev/null) || fail "status $?: $page: $command: $output"
    case $output in "weft: "*" now"*) fail "$page: a configuration's name of before: $command" ;; esac
  done <<<"$commands"
done

finish
