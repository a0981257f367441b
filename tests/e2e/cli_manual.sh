#!/usr/bin/env bash
# Every command of the manual: of each page the indented lines that begin with `build/weft ` or
# `scripts/plot.sh `, and those that write the files which they need, run in their order, each with
# exit status 0. Runs on engines rtl and cosim have 16 nodes there.
source "$(dirname "$0")/lib.sh"

build=$(dirname "$(realpath "$weft")")
for page in README.md sim/README.md sw/README.md rtl/README.md tests/README.md; do
  mkdir -p "$work/$page"
  cd "$work/$page" || exit 1
  ln -s "$build" build
  ln -s "$source_dir/sw" sw
  ln -s "$source_dir/scripts" scripts
  # A line that ends in a backslash goes on in the next one.
  commands=$(sed -e ':more' -e '/\\$/{N;s/\\\n *//;b more' -e '}' "$source_dir/$page" |
    grep -E '^    (build/weft|scripts/plot\.sh|echo|cp|riscv64-unknown-elf-gcc) ')
  grep -q 'build/weft' <<<"$commands" || fail "$page has no command"
  while IFS= read -r command; do
    output=$(bash -c "$command" 2>&1 </dev/null) || fail "status $?: $page: $command: $output"
    grep -q '^weft: .* now$' <<<"$output" && fail "$page: a name of before: $command"
  done <<<"$commands"
done

finish
