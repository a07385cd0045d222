"""Answers JSON lines with JSON lines: the prompt that promptlibretto makes of a call.

A line in is {"registry", "state", "route"}; a line out is {"text"}, or {"raised"} when the package
does not take the call. Nothing is decided here beyond calling the package.
"""

import json
import sys

from promptlibretto import HydrateState, Registry, hydrate


def answer(call):
    try:
        registry = Registry.from_dict(call["registry"])
        state = HydrateState.from_dict(call["state"])
        return {"text": hydrate(registry, state, route=call["route"], seed=0)}
    except Exception as error:
        return {"raised": repr(error)}


for line in sys.stdin:
    print(json.dumps(answer(json.loads(line))), flush=False)
