"""Answers JSON lines with JSON lines: what CPython itself does, one function for a whole table.

A line in is {"function", "cases"}; a line out is the list of results. A case for which Python raises
ValueError has the result null. Floats travel as the digits of their bits.
"""

import json
import struct
import sys
import unicodedata

# Characters are compared where both Unicode versions know them.
UNASSIGNED = 32


def bits(value):
    return str(struct.unpack("<Q", struct.pack("<d", value))[0])


def of_bits(digits):
    return struct.unpack("<d", struct.pack("<Q", int(digits)))[0]


def properties(code):
    character = chr(code)
    return (
        character.isspace()
        | character.isprintable() << 1
        | character.isdecimal() << 2
        | character.isidentifier() << 3
        | ("a" + character).isidentifier() << 4
        | (UNASSIGNED if unicodedata.category(character) == "Cn" else 0)
    )


def int_of(text, base):
    return str(int(text, base))


def slice_of(length, start, stop, step):
    first, last, step = slice(start, stop, step).indices(length)
    taken = range(first, last, step)
    return [str(first), str(last), len(taken), list(taken[:4])]


def item_of(index, length):
    try:
        return range(length)[index]
    except IndexError:
        return None


def dumps(document, indent):
    return json.dumps(json.loads(document), ensure_ascii=False, indent=indent)


FUNCTIONS = {
    "properties": properties,
    "strip": lambda text: [text.strip(), text.lstrip(), text.rstrip()],
    "repr": repr,
    "repr_float": lambda digits: repr(of_bits(digits)),
    "repr_json_number": lambda text: repr(json.loads(text)),
    "int": int_of,
    "float": lambda text: bits(float(text)),
    "slice": slice_of,
    "item": item_of,
    "dumps_text": lambda text, ascii: json.dumps(text, ensure_ascii=ascii),
    "dumps_float": lambda digits: json.dumps(of_bits(digits)),
    "dumps": dumps,
}


def result(function, case):
    try:
        return function(*case)
    except ValueError:
        return None


for line in sys.stdin:
    question = json.loads(line)
    function = FUNCTIONS[question["function"]]
    print(json.dumps([result(function, case) for case in question["cases"]]), flush=True)
