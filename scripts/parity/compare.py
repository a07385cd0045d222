"""Renders every conversation with every chat template, by transformers, by the Python package and by
other engines, and prints what is identical as Markdown. Ends with 1 if the package differs.

Reads the cases of `conformance_cases chat` from standard input. The first argument is a JSON list of
programs that render with other engines, each a `command` and the versions of its `engines`; the other
arguments are folders with the templates.
"""

from __future__ import annotations

import datetime
import importlib.metadata
import json
import os
import pathlib
import platform
import statistics
import subprocess
import sys
import time
from collections import defaultdict

import promptdeck as pd

ROOT = pathlib.Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "tests" / "conformance"))
import chat_oracle  # noqa: E402

NOW = datetime.datetime(2024, 7, 26, 9, 5, 3)
#: How often a case is rendered; the fastest time counts.
ROUNDS = 5
OURS, REFERENCE = "promptdeck", "transformers"


def rendered(render, refusal):
    """The text and the time in nanoseconds; no text where the engine refuses the case."""
    fastest = None
    for _ in range(ROUNDS):
        began = time.perf_counter_ns()
        try:
            text = render()
        except refusal:
            return {"text": None, "nanoseconds": None}
        passed = time.perf_counter_ns() - began
        fastest = min(passed, fastest or passed)
    return {"text": text, "nanoseconds": fastest}


def by_transformers(question):
    if question.get("continue_final_message"):
        # It changes the messages that it continues: each rendering has its own.
        return rendered(lambda: chat_oracle.by_transformers(json.loads(json.dumps(question))), Exception)
    return rendered(lambda: chat_oracle.by_transformers(question), Exception)


TEMPLATES: dict[tuple, pd.ChatTemplate] = {}


def by_promptdeck(question):
    key = (question["template"], question.get("bos_token"), question.get("eos_token"))

    def render():
        if key not in TEMPLATES:
            TEMPLATES[key] = pd.ChatTemplate.from_source(key[0], bos_token=key[1], eos_token=key[2])
        return TEMPLATES[key].apply_chat_template(
            question["messages"],
            tools=question.get("tools"),
            add_generation_prompt=bool(question.get("add_generation_prompt")),
            continue_final_message=question.get("continue_final_message"),
            now=NOW,
            **(question.get("extra") or {}),
        )

    return rendered(render, pd.ChatError)


def context_of(question):
    """What transformers gives to the engine: other engines do not take the steps before."""
    variables = dict(question.get("extra") or {})
    for name in ("bos_token", "eos_token"):
        if question.get(name) is not None:
            variables[name] = question[name]
    return {
        "documents": None,
        **variables,
        "messages": [chat_oracle.aliased(message) for message in question["messages"]],
        "tools": question.get("tools"),
        "add_generation_prompt": bool(question.get("add_generation_prompt")),
    }


def by_program(command, questions):
    """The answers of a program to all questions, by engine."""
    lines = [
        json.dumps({"template": question["template"], "context": context_of(question)})
        for question in questions
    ]
    run = subprocess.run(
        [*command, NOW.isoformat()],
        input="".join(line + "\n" for line in lines).encode(),
        stdout=subprocess.PIPE,
        check=True,
    )
    answers = [json.loads(line) for line in run.stdout.rstrip(b"\n").split(b"\n")]
    assert len(answers) == len(questions), "an answer is missing"
    return {engine: [answer[engine] for answer in answers] for engine in answers[0]}


def names(folders):
    """The names of templates by their text, after the package that they come from."""
    return {
        file.read_text(encoding="utf-8"): file.stem
        for folder in folders
        for file in sorted(pathlib.Path(folder).glob("*.jinja"))
    }


def numbered(questions, named):
    """The template of each question and the number of its conversation, from 1."""
    counts: dict[str, int] = defaultdict(int)
    for question in questions:
        name = named.get(question["template"], "other")
        counts[name] += 1
        yield name, counts[name]


def table(header, rows):
    yield f"| {' | '.join(header)} |"
    yield f"|---|{'--:|' * (len(header) - 1)}"
    for row in rows:
        yield f"| {' | '.join(map(str, row))} |"


def kinds(expected, found):
    """How an engine differs in a case, or none."""
    if found["text"] == expected["text"]:
        return None
    if found["text"] is None:
        return "refused"
    return "accepted" if expected["text"] is None else "other text"


def differing(answers, engine, cases):
    """The cases in which an engine differs, and how."""
    found = ((case, kinds(answers[REFERENCE][case], answers[engine][case])) for case in cases)
    return {case: kind for case, kind in found if kind}


def summary(versions, answers, cases, timed):
    for engine, version in versions.items():
        if engine == REFERENCE:
            counts = ["reference", "", "", ""]
        else:
            found = list(differing(answers, engine, cases).values())
            identical = f"{len(cases) - len(found):,} of {len(cases):,}"
            counts = [identical, *(found.count(kind) for kind in ("other text", "refused", "accepted"))]
        micro = statistics.mean(answers[engine][case]["nanoseconds"] for case in timed) / 1000
        yield [f"{engine} {version}", *counts, f"{micro:.1f}"]


def by_template(engines, answers, cases, places):
    """Identical of total for each template and engine."""
    groups: dict[str, list[int]] = defaultdict(list)
    for case in cases:
        groups[places[case][0]].append(case)
    for name, group in sorted(groups.items()):
        missing = [len(differing(answers, engine, group)) for engine in engines]
        yield [name, len(group), *(len(group) - count for count in missing)]


def listed(engine, answers, cases, places):
    """The differing cases of an engine: templates with the numbers of their conversations."""
    found: dict[str, dict[str, list[int]]] = defaultdict(lambda: defaultdict(list))
    for case, kind in differing(answers, engine, cases).items():
        name, number = places[case]
        found[name][kind].append(number)
    for name, of_name in sorted(found.items()):
        parts = (f"{kind} in {', '.join(map(str, numbers))}" for kind, numbers in of_name.items())
        yield f"- {name}: {'; '.join(parts)}"


def machine():
    """What the times were measured on."""
    about = pathlib.Path("/proc/cpuinfo")
    lines = about.read_text(encoding="utf-8").splitlines() if about.exists() else []
    names = (line.partition(": ")[2] for line in lines if line.startswith("model name"))
    return f"{next(names, platform.machine())}, {os.cpu_count()} processors"


def main():
    chat_oracle.CLOCK["now"] = NOW
    programs, folders = json.loads(sys.argv[1]), sys.argv[2:]
    questions = [json.loads(line) for line in sys.stdin]
    places = list(numbered(questions, names(folders)))
    answers = {
        OURS: [by_promptdeck(question) for question in questions],
        REFERENCE: [by_transformers(question) for question in questions],
    }
    versions = {
        OURS: importlib.metadata.version("promptdeck"),
        REFERENCE: f"{importlib.metadata.version('transformers')} "
        f"(jinja2 {importlib.metadata.version('jinja2')})",
    }
    for program in programs:
        answers.update(by_program(program["command"], questions))
        versions.update(program["engines"])
    peers = [engine for engine in versions if engine not in (OURS, REFERENCE)]

    every = range(len(questions))
    # The step that continues a final message is not part of the other engines.
    common = [case for case in every if not questions[case].get("continue_final_message")]
    continued = [case for case in every if questions[case].get("continue_final_message")]
    timed = [
        case
        for case in common
        if answers[REFERENCE][case]["text"]
        and not any(differing(answers, engine, [case]) for engine in versions)
    ]
    wrong = differing(answers, OURS, every)
    refused = sum(answers[REFERENCE][case]["text"] is None for case in every)

    print("# Chat templates against transformers and other engines\n")
    print("Generated by `npm run parity`; do not edit.\n")
    print(
        f"{datetime.date.today()}, Python {platform.python_version()}, {machine()}. Each "
        "conversation of the conformance tests is rendered with each template. The reference is "
        "transformers' `render_jinja_template`; promptdeck is `ChatTemplate.apply_chat_template` of "
        "the Python package; the other engines are given the variables that transformers gives to "
        "jinja2, with its options and functions where they have them; minijinja has no statement "
        "`{% generation %}`, which many templates for training use. A case is identical if it has the "
        "same bytes, or if both raise an error.\n"
    )
    print(
        f"promptdeck: {len(questions):,} cases, {len(questions) - len(wrong):,} identical "
        f"({refused:,} of them refused by both), {len(wrong):,} differing. {len(continued):,} of the "
        f"cases continue the final message, which the other engines have no step for; the table has "
        f"the other {len(common):,}.\n"
    )
    header = ["engine", "identical", "other text", "only it refuses", "only it accepts", "mean µs"]
    print("\n".join(table(header, summary(versions, answers, common, timed))))
    print(
        f"\nThe time is that of a compiled template, the fastest of {ROUNDS} renderings, averaged over "
        f"the {len(timed):,} cases that all engines render identically. It includes the conversion of "
        "the conversation to values of the engine.\n"
    )
    print("## Templates\n\nIdentical cases of each engine.\n")
    engines = [OURS, *peers]
    rows = by_template(engines, answers, common, places)
    print("\n".join(table(["template", "cases", *engines], rows)))
    for engine in engines:
        lines = list(listed(engine, answers, every if engine == OURS else common, places))
        if lines:
            print(f"\n## Differing: {engine}\n\nTemplates with the numbers of their conversations.\n")
            print("\n".join(lines))
    return 1 if wrong or not timed else 0


if __name__ == "__main__":
    sys.exit(main())
