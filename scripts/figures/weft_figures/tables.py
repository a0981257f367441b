"""Tables: CSV and Markdown, and curves side by side over a common abscissa."""

import pathlib

MISSING = "nan"  # A cell of a table of curves for which there is no value.


class Table:
    """A head and rows of texts. `quoted` are the columns whose cells have quotes in CSV."""

    def __init__(self, head, quoted=(), rule=" --- "):
        self.head = list(head)
        self.rows = []
        self.quoted = set(quoted)
        self.rule = rule  # A cell of the line below the head in Markdown.

    def add(self, *cells):
        self.rows.append([str(cell) for cell in cells])

    def column(self, name):
        """The cells of a column."""
        at = self.head.index(name)
        return [row[at] for row in self.rows]

    def csv(self):
        def cell(number, text):
            return '"' + text.replace('"', '""') + '"' if number in self.quoted else text

        lines = [",".join(self.head)]
        lines += [",".join(cell(i, text) for i, text in enumerate(row)) for row in self.rows]
        return "\n".join(lines) + "\n"

    def markdown(self):
        lines = [" | ".join(row) for row in [self.head, *self.rows]]
        lines = [f"| {line} |" for line in lines]
        lines.insert(1, "|" + "|".join([self.rule] * len(self.head)) + "|")
        return "\n".join(lines) + "\n"

    def write(self, path):
        """In the form that the ending of `path` names, .csv or .md."""
        path = pathlib.Path(path)
        text = self.markdown() if path.suffix == ".md" else self.csv()
        path.write_text(text, encoding="utf-8")


def side_by_side(x_name, points, better=None, sort=False):
    """A table with a line for each abscissa and a column for each curve, both in the order in which
    `points`, (curve, abscissa, ordinate) as texts, first have them, or with `sort` by abscissa. Of
    several ordinates the last one is taken, or the one that is `better(new, old)`."""
    curves, abscissas, values = {}, {}, {}
    for curve, x, y in points:
        curves[curve] = abscissas[x] = True
        if not y:
            continue
        old = values.get((x, curve))
        if old is None or better is None or better(float(y), float(old)):
            values[x, curve] = y
    order = sorted(abscissas, key=float) if sort else abscissas
    table = Table([x_name, *curves])
    for x in order:
        table.add(x, *(values.get((x, curve), MISSING) for curve in curves))
    return table
