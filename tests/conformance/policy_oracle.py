"""Answers JSON lines with JSON lines: what promptlibretto makes of a policy and a text.

A line in is {"policy", "text"}; a line out is {"text", "accepted", "reason"}, or {"refused",
"message"} when Python's `re` does not compile one of the policy's patterns, or {"gave_up"} when it
is still searching after some seconds. Nothing is decided here beyond calling the package.
"""

import json
import re
import signal
import sys
import warnings

from promptlibretto import OutputPolicy, OutputProcessor

warnings.simplefilter("ignore")

# Some searches would take it years.
SECONDS = 5

PATTERN_FIELDS = [
    ("strip_patterns", re.MULTILINE),
    ("forbidden_patterns", 0),
    ("require_patterns", 0),
]


def refusal(policy):
    for field, flags in PATTERN_FIELDS:
        for pattern in policy.get(field, []):
            try:
                re.compile(pattern, flags)
            except re.error as error:
                return {"refused": pattern, "message": error.msg}
            except (OverflowError, RecursionError, ValueError) as error:
                return {"refused": pattern, "message": str(error)}
    return None


def answer(case):
    refused = refusal(case["policy"])
    if refused is not None:
        return refused
    policy = OutputPolicy(**case["policy"])
    processor = OutputProcessor(policy)
    try:
        signal.alarm(SECONDS)
        text = processor.clean(case["text"], None)
        verdict = processor.validate(text, None)
    except TimeoutError:
        return {"gave_up": True}
    finally:
        signal.alarm(0)
    return {"text": text, "accepted": verdict.ok, "reason": verdict.reason}


def give_up(*_):
    raise TimeoutError


signal.signal(signal.SIGALRM, give_up)
for line in sys.stdin:
    print(json.dumps(answer(json.loads(line))), flush=False)
