"""The loop that `promptdeck hydrate --batch` is measured against: promptlibretto hydrating the
states of standard input, one JSON line each, to JSON lines. The registry is the argument."""

import json
import sys

from promptlibretto import load_registry

with open(sys.argv[1], encoding="utf-8") as file:
    engine = load_registry(json.load(file))

for line in sys.stdin:
    call = json.loads(line)
    text = engine.hydrate(call["state"], seed=call["seed"])
    sys.stdout.write(json.dumps({"ok": True, "text": text, "seed": call["seed"]}) + "\n")
