# orders_sizes.csv, sorted, to the counts of networks by how their orders compare, as Markdown. Exit
# status 1 where the order by bandwidth is the slower one anywhere, or no network has been compared.

NR == 1 { next }

{
  split($0, field, ",")
  ratio = field[3] / field[2]
  place = ratio < 0.8 ? 1 : ratio < 0.9 ? 2 : ratio < 0.95 ? 3 : ratio < 1 ? 4 : ratio == 1 ? 5 : 6
  count[place]++
  n++
  if (place == 6) slower = slower " " field[1] " (" field[4] ")"
  if (least == "" || ratio < least) { least = ratio; where = field[1] }
}

END {
  split("below 0.8,0.8 to 0.9,0.9 to 0.95,0.95 to 1,the same cycles,slower", words, ",")
  print "| bandwidth / alphabetical | networks and sizes |"
  print "|---|---|"
  for (i = 1; i <= 6; i++) print "| " words[i] " | " count[i] + 0 " |"
  if (n) printf "\nLeast: %.3f, %s\n", least, where
  if (slower != "") print "orders: by bandwidth slower than alphabetical:" slower >"/dev/stderr"
  if (!n) print "orders: no network has both runs" >"/dev/stderr"
  exit slower != "" || !n
}
