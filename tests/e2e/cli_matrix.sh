#!/usr/bin/env bash
# scripts/figures.sh matrix: every collective on a small network of each kind. What is refused has a
# reason. --cosim verilates blocks for minutes: by hand. Here is tested that it finds a difference.
source "$(dirname "$0")/lib.sh"

out=$source_dir/build/figures/matrix/quick
rm -rf "${out:?}"
expect 0 'tables, figures build/figures/matrix/quick' \
  env WEFT="$weft" "$source_dir/scripts/figures.sh" matrix --quick
# The two reasons: odd squares, and boards.
if grep '^[0-9]' "$out/matrix.md" | grep -v 'odd and 3 or more$\|a network of boards,'; then
  fail 'other reasons'
fi
grep -q '^| alltoall | [0-9]' "$out/matrix.md" || fail 'no matrix'

expect 2 'expected: with matrix, without --quick' \
  "$source_dir/scripts/figures.sh" 000 --cosim

# In place of RTL that is slower than its model.
cat >slower <<END
#!/usr/bin/env bash
case "\$*" in
  *cosim*) exec "$weft" "\${@/cosim/flit}" --set nic.gap=1 ;;
  *) exec "$weft" "\$@" ;;
esac
END
chmod +x slower
expect 1 'torus 3 x 2, native, a2a: cycles: cosim ' \
  env WEFT="$work/slower" "$source_dir/scripts/figures.sh" matrix --cosim
rm -rf "${out%quick}cosim"

finish
