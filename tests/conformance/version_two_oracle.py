"""Answers JSON lines with JSON lines: the prompt that promptlibretto 0.7 or 0.8 makes of a call.

A line in is {"registry", "state", "route"}; a line out is {"text"}, or {"raised"} when the package
does not take the call. Nothing is decided here beyond calling the package.
"""

import json
import sys

from promptlibretto import Registry, hydrate


def answer(call):
    try:
        registry = Registry.from_dict(call["registry"])
        return {"text": hydrate(registry, call["state"], route=call["route"], seed=0)}
    except Exception as error:
        return {"raised": repr(error)}


for line in sys.stdin:
    print(json.dumps(answer(json.loads(line))), flush=False)
