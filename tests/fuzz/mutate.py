# The mutator: inputs that are nearly right.
"""Change bytes, words of a dictionary, numbers in a text, or values of a JSON document."""

import json
import re

NUMBERS = [b"0", b"1", b"2", b"-1", b"3", b"7", b"8", b"64", b"255", b"256", b"65535",
           b"4294967295",
           b"4294967296", b"9223372036854775807", b"9223372036854775808", b"18446744073709551615",
           b"18446744073709551616", b"1e308", b"1e999", b"0.5", b"-0.0", b"1e-320", b"nan"]
WORDS = [0, 1, 2, 4, 0x10, 0x20, 0x34, 0x7F, 0x80, 0xFF, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF,
         0xFFFFFFF0, 0x1000, 0x10000, 0x7FFF, 0x8000, 0xFFFF]
VALUES = [None, True, False, 0, 1, -1, 2, 3, 5, 64, 100, 2 ** 31, 2 ** 32, 2 ** 63 - 1, 2 ** 63,
          2 ** 64, 0.5, -0.5, 1e300, 1e-300, "", "x", "auto", "none", "\u0000", "\u00e9" * 40,
          "a/b",
          [], {}, [0], [1, 2], [[]], {"": 0}, [None], {"a": {"b": []}}]


def read_words(path):
    """The words of a dictionary as AFL++ reads them: lines of name="word"."""
    words = []
    with open(path, encoding="utf-8") as file:
        for line in file:
            match = re.match(r'\w+="(.*)"$', line.strip())
            if match:
                words.append(match[1].encode().decode("unicode_escape").encode("latin-1"))
    return words


def mutated(draw, data, words, others):
    """The bytes after a few changes; `others` are what parts may be taken from."""
    data = bytearray(data)
    for _ in range(draw.choice([1, 1, 2, 3, 5, 8])):
        at = draw.randrange(len(data) + 1)
        size = draw.choice([1, 1, 2, 4, 8, 30, len(data) // 2])
        what = draw.randrange(9)
        if what == 0 and data:
            data[at % len(data)] ^= 1 << draw.randrange(8)
        elif what == 1:
            del data[at:at + size]
        elif what == 2:
            data[at:at] = data[at:at + size] * draw.choice([1, 1, 3])
        elif what == 3:
            width = draw.choice([1, 2, 4])
            word = draw.choice(WORDS) % 256 ** width
            data[at:at + width] = word.to_bytes(width, "little")
        elif what == 4 and words:
            data[at:at] = draw.choice(words)
        elif what == 5:
            data[at:at + size] = bytes(draw.randrange(256) for _ in range(min(size, 8)))
        elif what == 6:
            numbers = list(re.finditer(rb"\d+", data))
            if numbers:
                one = draw.choice(numbers)
                data[one.start():one.end()] = draw.choice(NUMBERS)
        elif what == 7:
            other = draw.choice(others)
            begin = draw.randrange(len(other) + 1)
            data[at:at] = other[begin:begin + draw.choice([4, 16, 64])]
        elif what == 8:  # Aligned, as the fields of ELF headers are.
            data[at // 4 * 4:at // 4 * 4 + 4] = draw.choice(WORDS).to_bytes(4, "little")
    return bytes(data)


def places(value, path=()):
    """All places in a document, outer ones first."""
    yield path
    inner = value.items() if isinstance(value, dict) else enumerate(value) \
        if isinstance(value, list) else ()
    for key, one in inner:
        yield from places(one, (*path, key))


def at_place(value, path):
    for key in path:
        value = value[key]
    return value


def mutated_document(draw, document, keys):
    """A document with other values, keys that are missing, or keys that are too many."""
    document = json.loads(json.dumps(document))
    for _ in range(draw.choice([1, 1, 2, 3])):
        path = draw.choice(list(places(document)))
        if not path:
            continue
        holder, key = at_place(document, path[:-1]), path[-1]
        what = draw.randrange(6)
        if what == 0:
            del holder[key]
        elif what == 1:
            holder[key] = draw.choice(VALUES)
        elif what == 2 and isinstance(holder[key], (int, float)):
            holder[key] = draw.choice([holder[key] - 1, holder[key] + 1, -holder[key], 0,
                                       holder[key] * 2, holder[key] / 2, 2 ** 64])
        elif what == 3:
            other = at_place(document, draw.choice(list(places(document))))
            holder[key] = json.loads(json.dumps(other))
        elif what == 4 and isinstance(holder, dict):
            holder[draw.choice(keys)] = draw.choice(VALUES + [holder[key]])
        elif isinstance(holder, list):
            holder.insert(draw.randrange(len(holder) + 1), json.loads(json.dumps(holder[key])))
    return document
