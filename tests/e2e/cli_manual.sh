#!/usr/bin/env bash
# Every command of the manual: the indented lines of the pages that begin with `build/weft `, and the
# `echo` lines that write their files, run in their order, each with exit status 0. Two of them use
# engine rtl or cosim, on networks of 4 x 4.
source "$(dirname "$0")/lib.sh"

for page in README.md sim/README.md sw/README.md rtl/README.md tests/README.md; do
  mkdir -p "$work/$page"
  cd "$work/$page" || exit 1
  ln -s "$(dirname "$(realpath "$weft")")" build
  commands=$(grep -E '^    (build/weft |echo )' "$source_dir/$page")
  grep -q 'build/weft' <<<"$commands" || fail "$page has no command"
  while IFS= read -r command; do
    output=$(bash -c "$command" 2>&1 </dev/null) || fail "status $?: $page:$command: $output"
    case $output in weft:*' now'*) fail "$page: a name of before:$command" ;; esac
  done <<<"$commands"
done

finish
