"""The wheel against the packages that Python programs use today: promptlibretto for prompts,
transformers for chat templates. Reads a JSON document of cases from standard input, writes rows of
times in nanoseconds to standard output. Equal texts are demanded."""

import gc
import json
import pathlib
import sys
import time

import promptdeck as pd
import promptlibretto
from transformers.utils import chat_template_utils

ROUNDS = 400
SECONDS = 0.001


def best_time(call):
    """The time of one call in the best of many short rounds: the one others disturbed least."""
    rounds = []
    gc.disable()
    for _ in range(ROUNDS):
        calls = 0
        began = time.perf_counter()
        passed = 0.0
        while passed < SECONDS:
            call()
            calls += 1
            passed = time.perf_counter() - began
        rounds.append(passed / calls)
    gc.enable()
    return min(rounds) * 1e9


def row(name, ours, theirs, goal):
    return {"name": name, "ours": ours, "theirs": theirs, "goal": goal}


def hydration(case):
    """One call, with a state that is read beforehand on both sides, and from a dictionary."""
    model = pd.Model.from_dict(case["registry"])
    registry = promptlibretto.Registry.from_dict(case["registry"])
    state = pd.State(case["state"])
    theirs = promptlibretto.HydrateState.from_dict(case["state"])
    text = promptlibretto.hydrate(registry, theirs, seed=7)
    assert model.hydrate(state, seed=7) == model.hydrate(case["state"], seed=7) == text
    peer = best_time(lambda: promptlibretto.hydrate(registry, theirs, seed=7))
    yield row("hydrate, nine tokens", best_time(lambda: model.hydrate(state, seed=7)), peer, 60)
    parsed = best_time(
        lambda: promptlibretto.hydrate(
            registry, promptlibretto.HydrateState.from_dict(case["state"]), seed=7
        )
    )
    yield row("the same from a dictionary", best_time(lambda: model.hydrate(case["state"], seed=7)), parsed, None)


def chats(case):
    """One conversation from a list of dictionaries, and many from JSON text on one thread."""
    messages, count = case["messages"], 2_000
    column = [json.dumps(messages)] * count
    tokens = {"bos_token": "<s>", "eos_token": "</s>"}
    for path in sorted(pathlib.Path(case["templates"]).glob("*.jinja")):
        source = path.read_text(encoding="utf-8")
        chat = pd.ChatTemplate.from_source(source, **tokens)

        def transformers(conversation):
            rendered, _ = chat_template_utils.render_jinja_template(
                conversations=[conversation],
                tools=None,
                documents=None,
                chat_template=source,
                continue_final_message=False,
                add_generation_prompt=True,
                **tokens,
            )
            return rendered[0]

        theirs = best_time(lambda: transformers(messages))
        assert chat.apply_chat_template(messages, add_generation_prompt=True) == transformers(messages)
        ours = best_time(lambda: chat.apply_chat_template(messages, add_generation_prompt=True))
        yield row(f"apply_chat_template, {path.stem}", ours, theirs, 3)

        def batch(threads):
            return chat.render_batch(
                messages_json=column, add_generation_prompt=True, threads=threads
            )

        def loop():
            return [transformers(json.loads(one)) for one in column]

        assert batch(2).to_pylist() == loop()
        began = time.perf_counter()
        loop()
        theirs = (time.perf_counter() - began) / count * 1e9
        times = []
        for _ in range(9):
            began = time.perf_counter()
            batch(1)
            times.append((time.perf_counter() - began) / count * 1e9)
        yield row(f"render_batch, one thread, {path.stem}", min(times), theirs, 6 if path.stem == "qwen3" else None)


document = json.load(sys.stdin)
rows = [*hydration(document["hydration"]), *chats(document["chats"])]
json.dump(rows, sys.stdout)
