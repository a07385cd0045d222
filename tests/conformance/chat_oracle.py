"""Answers JSON lines with what jinja2 makes of a chat template, set up the way Hugging Face
transformers does: the sandbox, the tags, the functions and the steps around the rendering.

With PROMPTDECK_ORACLE_TRANSFORMERS set the package itself is asked, where it is installed; the two
must agree.
"""

import datetime
import functools
import json
import os
import sys

import jinja2
from jinja2.ext import Extension, loopcontrols
from jinja2.sandbox import ImmutableSandboxedEnvironment

REASONING = ("reasoning_content", "thinking", "reasoning")
TAG = "CONTINUE_FINAL_MESSAGE_TAG "
CLOCK = {"now": None}


class Generation(Extension):
    """The tag around what the model wrote; it only marks."""

    tags = {"generation"}

    def parse(self, parser):
        line = next(parser.stream).lineno
        body = parser.parse_statements(["name:endgeneration"], drop_needle=True)
        call = self.call_method("_mark")
        return jinja2.nodes.CallBlock(call, [], [], body).set_lineno(line)

    def _mark(self, caller):
        return caller()


class Mapping:
    def __call__(self, *args, **kwargs):
        return dict(*args, **kwargs)

    def fromkeys(self, *args, **kwargs):
        return dict.fromkeys(*args, **kwargs)


class Names(jinja2.utils.Namespace):
    def __init__(*args, **kwargs):
        self, args = args[0], args[1:]
        attributes = dict(*args, **kwargs)
        for name in attributes:
            Names.check(name)
        jinja2.utils.Namespace.__init__(self, attributes)

    def __setitem__(self, name, value):
        Names.check(name)
        jinja2.utils.Namespace.__setitem__(self, name, value)

    @staticmethod
    def check(name):
        if isinstance(name, str) and name.startswith("_"):
            raise jinja2.exceptions.SecurityError(f"underscore: {name!r}")


def raise_exception(message):
    raise jinja2.exceptions.TemplateError(message)


def tojson(x, ensure_ascii=False, indent=None, separators=None, sort_keys=False):
    return json.dumps(
        x, ensure_ascii=ensure_ascii, indent=indent, separators=separators, sort_keys=sort_keys
    )


def strftime_now(format):
    return CLOCK["now"].strftime(format)


def environment():
    env = ImmutableSandboxedEnvironment(
        trim_blocks=True, lstrip_blocks=True, extensions=[Generation, loopcontrols]
    )
    env.filters["tojson"] = tojson
    env.globals["raise_exception"] = raise_exception
    env.globals["strftime_now"] = strftime_now
    env.globals["dict"] = Mapping()
    env.globals["namespace"] = Names
    return env


COMPILED = {}


def compiled(source):
    if source not in COMPILED:
        COMPILED[source] = environment().from_string(source)
    return COMPILED[source]


def aliased(message):
    found = next((message[key] for key in REASONING if message.get(key) is not None), None)
    if found is None:
        return message
    return {"thinking": found, **message, "reasoning_content": found}


def render(question):
    template = compiled(question["template"])
    messages = [aliased(message) for message in question["messages"]]
    field = question.get("continue_final_message")
    if field is True:
        field = "content"
    final = None
    if field:
        final = messages[-1].get(field)
        if final is None:
            raise ValueError("nothing to continue")
        fields = [field]
        if field in REASONING:
            fields = [name for name in REASONING if messages[-1].get(name) == final]
        if not any(name in question["template"] for name in fields):
            raise ValueError("not a field of the template")
        if isinstance(final, list):
            for part in reversed(final):
                if "text" in part:
                    final = part["text"]
                    part["text"] += TAG
                    break
            else:
                raise ValueError("no text to continue")
        else:
            for name in fields:
                messages[-1][name] = messages[-1][name] + TAG
    variables = dict(question.get("extra") or {})
    documents = variables.pop("documents", None)
    for name in ("bos_token", "eos_token"):
        if question.get(name) is not None:
            variables[name] = question[name]
    text = template.render(
        messages=messages,
        tools=question.get("tools"),
        documents=documents,
        add_generation_prompt=bool(question.get("add_generation_prompt")),
        **variables,
    )
    if field:
        if final.strip() not in text or TAG.strip() not in text:
            raise ValueError("the final message is not shown")
        at = text.rindex(TAG.strip())
        cut = text[at : at + len(TAG)] == TAG
        text = text[:at] if cut else text[:at].rstrip()
    return text


def evaluate(question):
    template = compiled(question["template"])
    return template.render(**question.get("variables", {}))


@functools.cache
def transformers():
    """The module that renders, with our clock; made once, as its calls are timed."""
    from transformers.utils import chat_template_utils as own

    class Clock(datetime.datetime):
        @classmethod
        def now(cls, tz=None):
            return CLOCK["now"]

    own.datetime = Clock
    return own


def by_transformers(question):
    variables = dict(question.get("extra") or {})
    for name in ("bos_token", "eos_token"):
        if question.get(name) is not None:
            variables[name] = question[name]
    rendered, _ = transformers().render_jinja_template(
        conversations=[question["messages"]],
        tools=question.get("tools"),
        documents=variables.pop("documents", None),
        chat_template=question["template"],
        continue_final_message=question.get("continue_final_message") or False,
        add_generation_prompt=bool(question.get("add_generation_prompt")),
        **variables,
    )
    return rendered[0]


def main():
    real = "PROMPTDECK_ORACLE_TRANSFORMERS" in os.environ
    for line in sys.stdin:
        question = json.loads(line)
        now = question.get("now") or "2024-07-26T09:05:03"
        CLOCK["now"] = datetime.datetime.fromisoformat(now)
        try:
            if "variables" in question:
                output = evaluate(question)
            else:
                output = by_transformers(question) if real else render(question)
            answer = {"ok": True, "output": output}
        except RecursionError:
            answer = {"ok": False, "error": "RecursionError", "message": ""}
        except Exception as error:
            answer = {"ok": False, "error": type(error).__name__, "message": str(error)}
        try:
            print(json.dumps(answer, ensure_ascii=False), flush=True)
        except UnicodeEncodeError:
            print(json.dumps({"ok": False, "error": "Surrogates", "message": ""}), flush=True)


if __name__ == "__main__":
    main()
