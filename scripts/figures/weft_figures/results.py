"""Reading of CSV files: the results of a sweep, and what is made from them."""

import csv


class Row(dict):
    """A line of a CSV file by the names of its columns; a column that the file lacks is empty."""

    def __missing__(self, column):
        return ""

    @property
    def ended(self):
        """Whether this run of a sweep ended well."""
        return self["status"] == "0"


def read(path):
    """The lines of a CSV file (RFC 4180) below its head, as texts."""
    with open(path, newline="", encoding="utf-8") as file:
        return [Row(row) for row in csv.DictReader(file)]


def number(text):
    """The value of a cell; an empty one counts as zero."""
    return float(text) if text else 0.0


def sizes(dims):
    """The sizes in a cell like "[8, 8]", as texts."""
    return dims.strip("[]").replace(" ", "").split(",")
