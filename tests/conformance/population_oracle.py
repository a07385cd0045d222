"""Answers JSON lines with JSON lines: the figures of a sample of texts, by numpy and Python's own means.

A line in is {"texts", "bars", "budget", "counts"}. A line out has quantiles by numpy's `inverted_cdf`
(the nearest rank: a value of the sample), numpy's histogram over the bars, the ends of the 99 % interval
of each count as the roots of Wilson's equation, and what the texts share.
"""

import json
import os.path
import statistics
import sys

import numpy

Z_SQUARED = statistics.NormalDist().inv_cdf(0.995) ** 2


def wilson(count, rolls):
    """The shares whose own deviation, 2.58 times, reaches the observed one."""
    equation = [rolls + Z_SQUARED, -(2 * count + Z_SQUARED), count**2 / rolls]
    return sorted(float(root.real) for root in numpy.roots(equation))


def answer(texts, bars, budget, counts):
    lengths = numpy.array([len(text) for text in texts])
    quantiles = numpy.quantile(lengths, [0.05, 0.5, 0.95], method="inverted_cdf")
    p5, median, p95 = (int(quantile) for quantile in quantiles)
    # Bars touch, and each includes both of its ends.
    assert all(left[1] + 1 == right[0] for left, right in zip(bars, bars[1:]))
    edges = [low for low, _ in bars] + [bars[-1][1] + 1]
    histogram, _ = numpy.histogram(lengths, bins=edges)
    return {
        "min": int(lengths.min()),
        "max": int(lengths.max()),
        "min_seed": int(lengths.argmin()),
        "max_seed": int(lengths.argmax()),
        "p5": p5,
        "median": median,
        "p95": p95,
        "bars": histogram.tolist(),
        "over": int((lengths > budget).sum()),
        "different": len(set(texts)),
        "most": statistics.multimode(texts)[0],
        "prefix": len(os.path.commonprefix(texts)),
        "intervals": [wilson(count, len(texts)) for count in counts],
    }


for line in sys.stdin:
    print(json.dumps(answer(**json.loads(line))))
