"""What the README says of exceptions: what is wrong with data is a `PromptdeckError` with a code."""

from __future__ import annotations

import json
import math
import os
from collections.abc import Callable
from typing import Any

import numpy as np
import promptdeck as pd
import pytest

SMALL = '{"rules": {"items": [{"id": "a", "text": "One."}]}}'
MODEL = pd.Model.from_json(SMALL)
CHAT = pd.ChatTemplate.from_source("{{ messages }}")
LONE = "\ud800"


def nested(levels: int) -> dict[str, Any]:
    value: dict[str, Any] = {}
    for _ in range(levels):
        value = {"a": value}
    return value


def refused(call: Callable[[], object], code: str, pointer: str | None = None) -> pd.PromptdeckError:
    with pytest.raises(pd.PromptdeckError) as raised:
        call()
    assert raised.value.code == code, raised.value
    assert pointer is None or raised.value.pointer == pointer
    return raised.value


@pytest.mark.parametrize(
    "call",
    [
        lambda: pd.Model.from_json(f'{{"a": "{LONE}"}}'),
        lambda: pd.State.from_json(f'{{"a": "{LONE}"}}'),
        lambda: pd.Policy.from_json(f'{{"a": "{LONE}"}}'),
        lambda: pd.ChatTemplate.from_json(f'{{"a": "{LONE}"}}'),
        lambda: pd.ChatTemplate.from_source(LONE),
        lambda: pd.ChatTemplate.from_source("", bos_token=LONE),
        lambda: pd.ChatTemplate.from_source("", eos_token=LONE),
        lambda: MODEL.policy.apply(LONE),
        lambda: MODEL.hydrate(LONE),
        lambda: MODEL.hydrate(route=LONE),
        lambda: MODEL.explain(route=LONE),
        lambda: MODEL.check(route=LONE),
        lambda: MODEL.generation(LONE),
        lambda: MODEL.policy_for(LONE),
        lambda: MODEL.hydrate_batch(seeds=[1], route=LONE),
        lambda: MODEL.hydrate_batch(states=[LONE], seeds=[1]),
        lambda: CHAT.apply_chat_template([{"content": LONE}]),
        lambda: CHAT.apply_chat_template([], continue_final_message=LONE),
        lambda: CHAT.apply_chat_template([], x=LONE),
        lambda: CHAT.render_batch(messages_json=[LONE]),
        lambda: pd.load(LONE),
        lambda: pd.ChatTemplate.from_dir(LONE),
        lambda: pd.ChatTemplate.from_gguf(LONE),
    ],
)
def test_lone_surrogates(call):
    refused(call, "lone_surrogate")


def test_paths(tmp_path):
    for call in (pd.load, pd.ChatTemplate.from_dir, pd.ChatTemplate.from_gguf):
        refused(lambda: call("a\0b"), "bad_path")
        with pytest.raises(TypeError, match="os.PathLike"):
            call(1)  # pyright: ignore
        with pytest.raises(FileNotFoundError):
            call(tmp_path / "absent")
    (tmp_path / "model.json").write_text(SMALL)
    for path in (tmp_path / "model.json", str(tmp_path / "model.json")):
        assert pd.load(path).to_json() == pd.load(os.fsencode(path)).to_json() == SMALL


def test_values_that_nest_too_deep():
    cycle: dict[str, Any] = {}
    cycle["a"] = cycle
    for value in (cycle, nested(128), nested(5_000)):
        refused(lambda: pd.Model.from_dict(value), "too_deep")
        refused(lambda: pd.Policy(value), "too_deep")
        refused(lambda: CHAT.apply_chat_template([value]), "too_deep")
    # As deep as JSON may be, in every form.
    messages = [nested(125)]
    text = CHAT.apply_chat_template(messages)
    assert text == CHAT.render_batch(messages_json=[json.dumps(messages)])[0]
    refused(lambda: CHAT.apply_chat_template([nested(127)]), "too_deep")
    row = json.dumps([nested(127)])
    refused(lambda: CHAT.render_batch(messages_json=[row]), "too_deep")


@pytest.mark.parametrize("seed", [-1, 2**53, 2**70, -(2**70), 10**5000], ids=hex)
def test_seeds_are_reported_as_they_were_given(seed):
    shown = str(seed) if abs(seed) < 2**80 else "0x"
    for call in (
        lambda: MODEL.hydrate(seed=seed),
        lambda: MODEL.hydrate_batch(seeds=[1, seed]),
        lambda: MODEL.hydrate_batch(seeds=range(seed, seed + 1)),
    ):
        assert shown in str(refused(call, "bad_seed"))


def test_numbers_beyond_a_double():
    for number, code in ((math.inf, "not_json"), (math.nan, "not_json"), (10**400, "wrong_type")):
        error = refused(lambda: MODEL.hydrate({"sliders": {"a": number}}), code, "/sliders/a")
        assert str(error).startswith("/sliders/a: ")
        refused(lambda: pd.State({"sliders": {"a": number}}), code, "/sliders/a")
    text = '{"sliders":\n {"a": 1e400}}'
    error = refused(lambda: pd.State.from_json(text), "wrong_type", "/sliders/a")
    assert (error.line, error.column) == (2, 8)
    assert "line 2, column 8: /sliders/a: " in str(error)
    error = refused(lambda: MODEL.hydrate_batch(states=["{}", text]), "wrong_type", "/sliders/a")
    assert (error.row, error.line) == (1, 2)
    for value in (math.inf, -math.inf, math.nan):
        for call in (
            lambda: CHAT.apply_chat_template([{"content": value}]),
            lambda: CHAT.apply_chat_template([{"content": value}], continue_final_message=True),
        ):
            assert str(refused(call, "not_json", "/0/content")).startswith("/0/content: ")
        refused(lambda: CHAT.apply_chat_template([], tools=[{"a": value}]), "not_json", "/tools/0/a")
    refused(lambda: CHAT.apply_chat_template([{"a": 10**5000}]), "too_large", "/0/a")


@pytest.mark.parametrize(
    ("row", "code", "line", "column", "pointer"),
    [
        ("{}", "wrong_type", 1, 1, ""),
        ("null", "wrong_type", 1, 1, ""),
        ('[{"a": 1,\n"a": 2}]', "duplicate_key", 2, 1, "/0/a"),
        ('[{"content": 1e999}]', "not_json", 1, 14, "/0/content"),
        ('[{"content": "\\ud800"}]', "lone_surrogate", 1, 15, "/0/content"),
        ("[", "syntax", 1, 2, "/0"),
    ],
)
def test_messages_in_json(row, code, line, column, pointer):
    with pytest.raises(pd.ChatError) as raised:
        CHAT.render_batch(messages_json=["[]", row])
    error = raised.value
    assert (error.code, error.line, error.column) == (code, line, column), error
    assert (error.pointer, error.row) == (pointer, 1)
    assert str(error).startswith(f"row 1: line {line}, column {column}: ")


def test_messages_in_json_that_are_none_say_what_they_should_be():
    error = refused(lambda: CHAT.render_batch(messages_json=["{}"]), "wrong_type")
    assert str(error) == "row 0: line 1, column 1: expected a list of messages, found an object"


def test_arguments_of_a_wrong_type():
    for call in (
        lambda: MODEL.hydrate(route=5),  # pyright: ignore
        lambda: MODEL.hydrate(strict=1),  # pyright: ignore
        lambda: MODEL.hydrate_batch(seeds=[1], threads="2"),  # pyright: ignore
        lambda: MODEL.hydrate_batch(seeds=[1], on_error=None),  # pyright: ignore
        lambda: pd.Model.from_json(b"{}"),  # pyright: ignore
        lambda: CHAT.apply_chat_template([], continue_final_message=1),  # pyright: ignore
        lambda: MODEL.hydrate(3),  # pyright: ignore
        lambda: MODEL.hydrate([]),  # pyright: ignore
        lambda: pd.State(3),  # pyright: ignore
        lambda: pd.Policy([]),  # pyright: ignore
        lambda: pd.Model.from_dict([]),  # pyright: ignore
        lambda: MODEL.hydrate_batch(states=iter(["{}"])),  # pyright: ignore
        lambda: MODEL.hydrate_batch(seeds=iter([1])),  # pyright: ignore
        lambda: MODEL.hydrate_batch(seeds=7),  # pyright: ignore
        lambda: MODEL.hydrate_batch(seeds=np.array(1)),
        lambda: MODEL.hydrate_batch(seeds="12"),  # pyright: ignore
        lambda: MODEL.hydrate_batch(seeds=[1], threads=True),
        lambda: CHAT.apply_chat_template("Hi"),  # pyright: ignore
        lambda: CHAT.apply_chat_template(None),  # pyright: ignore
        lambda: CHAT.apply_chat_template("Hi", continue_final_message=True),  # pyright: ignore
        lambda: CHAT.apply_chat_template([], tools={}),  # pyright: ignore
        lambda: CHAT.apply_chat_template([], documents="a"),  # pyright: ignore
        lambda: CHAT.apply_chat_template([], now="2020"),  # pyright: ignore
        lambda: CHAT.render_batch(messages_json="[]"),  # pyright: ignore
        lambda: CHAT.render_batch(messages=[[]]),  # pyright: ignore
    ):
        with pytest.raises(TypeError):
            call()
