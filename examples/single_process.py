"""What every example computes, in one process: the prompt of each seed, and the text that a chat
template makes of it. The examples compare their rows with these."""

from __future__ import annotations

import json
import pathlib
import time

import promptdeck as pd
import pyarrow as pa

ROOT = pathlib.Path(__file__).parents[1]
REGISTRY = ROOT / "registries" / "noir_roller.json"
TEMPLATE = ROOT / "tests" / "chat-templates" / "qwen3.jinja"
BEGUN = time.perf_counter()


def load():
    """The model and the chat template. Workers call it once each."""
    template = TEMPLATE.read_text(encoding="utf-8")
    return pd.load(REGISTRY), pd.ChatTemplate.from_source(template)


def render(model, chat, seeds):
    """A table of seed, prompt and text."""
    prompts = pa.array(model.hydrate_batch(seeds=seeds, threads=1))
    messages = [json.dumps([{"role": "user", "content": prompt}]) for prompt in prompts.to_pylist()]
    texts = pa.array(chat.render_batch(messages_json=messages, add_generation_prompt=True, threads=1))
    return pa.table({"seed": seeds, "prompt": prompts, "text": texts})


def check(name, table, rows):
    """Compares a table of any order with that of this process, and prints one line."""
    seconds = time.perf_counter() - BEGUN
    found = table.sort_by("seed")
    expected = render(*load(), pa.array(range(rows), pa.int64()))
    assert found.num_rows == rows, (found.num_rows, rows)
    for column in expected.column_names:
        assert found[column].to_pylist() == expected[column].to_pylist(), column
    print(f"{name}: {rows} rows, {rows / seconds:.0f} a second with the start, equal to one process")
