"""Answers JSON lines with JSON lines: the figures of a sample of texts, by Python's own means.

A line in is {"texts", "bars", "budget"}; a line out has lengths, quantiles by the inverted distribution
function (which for the half is `statistics.median_low`), the counts of the bars, and what texts share.
"""

import json
import math
import os.path
import statistics
import sys


def answer(texts, bars, budget):
    lengths = [len(text) for text in texts]
    ordered = sorted(lengths)

    def quantile(percent):
        return ordered[max(1, math.ceil(percent * len(ordered) / 100)) - 1]

    return {
        "min": min(lengths),
        "max": max(lengths),
        "min_seed": lengths.index(min(lengths)),
        "max_seed": lengths.index(max(lengths)),
        "p5": quantile(5),
        "median": statistics.median_low(lengths),
        "p95": quantile(95),
        "bars": [sum(low <= length <= high for length in lengths) for low, high in bars],
        "over": sum(length > budget for length in lengths),
        "different": len(set(texts)),
        "most": statistics.multimode(texts)[0],
        "prefix": len(os.path.commonprefix(texts)),
    }


for line in sys.stdin:
    print(json.dumps(answer(**json.loads(line))))
