"""Answers JSON lines with JSON lines: what Jinja2 makes of a template and a context.

A line in is {"template", "context"}; a line out is {"output"}, or {"error"} with the name of the
exception. Undefined names stay silent however far they are followed, as the contract has it.
"""

import json
import sys

from jinja2 import ChainableUndefined, Environment

ENVIRONMENT = Environment(undefined=ChainableUndefined)

for line in sys.stdin:
    case = json.loads(line)
    try:
        answer = {"output": ENVIRONMENT.from_string(case["template"]).render(**case["context"])}
    except Exception as error:
        answer = {"error": type(error).__name__}
    print(json.dumps(answer), flush=True)
