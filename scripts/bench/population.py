"""The loop that `promptdeck profile` is measured against: promptlibretto rolling the registry of the
first argument as often as the second says, counting lengths and different prompts. The state with
the dice is on standard input. Writes the seconds of the loop to standard output."""

import json
import sys
import time
from collections import Counter

from promptlibretto import load_registry

with open(sys.argv[1], encoding="utf-8") as file:
    engine = load_registry(json.load(file))
state = json.load(sys.stdin)

lengths, different = Counter(), set()
started = time.perf_counter()
for seed in range(int(sys.argv[2])):
    text = engine.hydrate(state, seed=seed)
    lengths[len(text)] += 1
    different.add(hash(text))
seconds = time.perf_counter() - started
json.dump({"seconds": seconds, "different": len(different)}, sys.stdout)
