# For all scripts that read a CSV file (RFC 4180, no line breaks within fields).

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
