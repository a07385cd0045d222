"""Times jinja2, set up as transformers does, on the cases of a file: one JSON line for each."""

import datetime
import json
import pathlib
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).parents[2] / "tests" / "conformance"))
import chat_oracle  # noqa: E402


def best_time(call):
    """The time of one call in the best of many short rounds."""
    rounds = []
    for _ in range(60):
        begun = time.perf_counter_ns()
        calls = 0
        while time.perf_counter_ns() - begun < 8_000_000:
            call()
            calls += 1
        rounds.append((time.perf_counter_ns() - begun) / calls)
    return min(rounds)


chat_oracle.CLOCK["now"] = datetime.datetime(2024, 7, 26, 9, 5, 3)
for case in json.load(open(sys.argv[1], encoding="utf-8")):
    template = chat_oracle.compiled(case["template"])
    variables = {
        "messages": case["messages"],
        "tools": case.get("tools"),
        "documents": None,
        "add_generation_prompt": True,
        "bos_token": case["bos_token"],
        "eos_token": case["eos_token"],
    }
    text = template.render(**variables)
    messages = json.dumps(case["messages"])
    rendered = best_time(lambda: template.render(**variables))
    parsed = best_time(lambda: template.render(**{**variables, "messages": json.loads(messages)}))
    print(json.dumps({"name": case["name"], "rendered": rendered, "parsed": parsed, "text": text}))
