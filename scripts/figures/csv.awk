# For all scripts that read a CSV file (RFC 4180, no line breaks within fields), and write a table
# as one (-v form=csv) or in Markdown.

# Splits LINE into FIELD[1..n] and returns n.
function csv(line, field,    n, value) {
  n = 0
  split("", field)
  for (;;) {
    if (match(line, /^"([^"]|"")*"/)) {
      value = substr(line, 2, RLENGTH - 2)
      gsub(/""/, "\"", value)
    } else {
      match(line, /^[^,]*/)
      value = substr(line, 1, RLENGTH)
    }
    field[++n] = value
    if (length(line) == RLENGTH) return n
    line = substr(line, RLENGTH + 2)
  }
}

# From the first line of a file: column["name"] is its number.
function csv_head(line, column,    n, i, field) {
  n = csv(line, field)
  for (i = 1; i <= n; i++) column[field[i]] = i
}

# A line of a table, its fields joined by commas,
function row(line) {
  if (form == "csv") print line
  else {
    gsub(/,/, " | ", line)
    print "| " line " |"
  }
}

# and its heading.
function row_head(line) {
  row(line)
  if (form == "csv") return
  gsub(/[^,]+/, "---", line)
  row(line)
}
