"""How long one library call of promptlibretto's hydrate takes: reads a JSON list of {"name",
"registry", "state"} from standard input, writes {"name", "nanoseconds", "text"} for each to
standard output. The other half of the comparison is the example `hydrate_speed`."""

import json
import sys
import time

from promptlibretto import HydrateState, Registry, hydrate

SECONDS = 0.5
ROUNDS = 250


def measure(case):
    registry = Registry.from_dict(case["registry"])
    state = HydrateState.from_dict(case["state"])
    calls, rounds, fastest = 1, 0, float("inf")
    while rounds < ROUNDS:
        started = time.perf_counter()
        for _ in range(calls):
            hydrate(registry, state)
        seconds = time.perf_counter() - started
        if seconds < SECONDS / ROUNDS:
            calls *= 2
            continue
        fastest = min(fastest, seconds / calls)
        rounds += 1
    text = hydrate(registry, state)
    return {"name": case["name"], "nanoseconds": fastest * 1e9, "text": text}


json.dump([measure(case) for case in json.load(sys.stdin)], sys.stdout)
