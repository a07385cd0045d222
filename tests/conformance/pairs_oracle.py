"""Answers JSON lines with JSON lines: how many rows allpairspy takes for all pairs of values.

A line in is the list of the numbers of values; a line out is the number of rows.
"""

import json
import sys

from allpairspy import AllPairs

for line in sys.stdin:
    slots = [list(range(values)) for values in json.loads(line)]
    print(sum(1 for _ in AllPairs(slots)), flush=False)
