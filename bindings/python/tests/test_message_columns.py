"""Conversations as Arrow columns of lists of structs, against their JSON texts."""

from __future__ import annotations

import json
from typing import Any

import duckdb
import pandas
import polars
import promptdeck as pd
import pyarrow as pa
import pytest

Conversation = list[dict[str, Any]]

PLAIN: list[Conversation] = [
    [{"role": "user", "content": "Hi"}],
    [
        {"role": "system", "content": "Be brief."},
        {"role": "user", "content": "é\n\u2028"},
        {"role": "assistant", "content": ""},
    ],
    [],
]
CALL = {"id": "1", "type": "function", "function": {"name": "add", "arguments": {"a": 1, "b": 0.5}}}
TOOLS: list[Conversation] = [
    [
        {"role": "user", "content": "1 + 0.5?"},
        {"role": "assistant", "content": "", "tool_calls": [CALL, CALL]},
        {"role": "tool", "content": "1.5", "name": "add"},
    ],
    [{"role": "assistant", "content": "It is.", "reasoning_content": "Add them."}],
]


@pytest.fixture(scope="module", params=["chatml", "qwen3", "llama31", "mistral", "gptoss"])
def chat(request, registries):
    path = registries.parent / "tests" / "chat-templates" / f"{request.param}.jinja"
    source = path.read_text(encoding="utf-8")
    return pd.ChatTemplate.from_source(source, bos_token="<s>", eos_token="</s>")


def texts_of_json(chat: pd.ChatTemplate, rows: list[Conversation]) -> list[str | None]:
    column = [json.dumps(row) for row in rows]
    return chat.render_batch(messages_json=column, on_error="column").texts.to_pylist()


def large(rows: list[Conversation]) -> pa.Array:
    message = pa.struct([("role", pa.large_string()), ("content", pa.string_view())])
    return pa.array(rows, pa.large_list(message))


@pytest.mark.parametrize(
    "column",
    [
        pa.array(PLAIN),
        large(PLAIN),
        pa.array([PLAIN[0], *PLAIN])[1:],
        pa.chunked_array([PLAIN[:1], PLAIN[1:]]),
        pa.array(PLAIN, pa.list_view(pa.struct([("role", pa.string()), ("content", pa.string())]))),
        pa.array(
            [[list(message.items()) for message in row] for row in PLAIN],
            pa.list_(pa.map_(pa.string(), pa.string())),
        ),
        polars.Series(PLAIN),
        pandas.Series(PLAIN, dtype=pandas.ArrowDtype(pa.array(PLAIN).type)),
    ],
    ids=["small", "large", "slice", "chunks", "views", "maps", "polars", "pandas"],
)
def test_conversations_come_from_any_producer(chat, column):
    result = chat.render_batch(messages=column, on_error="column")
    assert result.texts.to_pylist() == texts_of_json(chat, PLAIN)


def test_conversations_come_from_duckdb(chat):
    relation = duckdb.sql("select [{'role': 'user', 'content': 'Row ' || i}] as m from range(3) t(i)")
    assert relation is not None
    rows = [[{"role": "user", "content": f"Row {row}"}] for row in range(3)]
    found = chat.render_batch(messages=relation.to_arrow_table()["m"], on_error="column")
    assert found.texts.to_pylist() == texts_of_json(chat, rows)


def test_null_fields_are_missing_keys(chat):
    column = pa.array(TOOLS)
    assert column.to_pylist()[0][0]["tool_calls"] is None
    found = chat.render_batch(messages=column, on_error="column").texts.to_pylist()
    assert found == texts_of_json(chat, TOOLS)
    # Mistral's template refuses ids of another length.
    assert any(found) or "[INST]" in chat.source


def test_values_of_every_type_are_those_of_json():
    chat = pd.ChatTemplate.from_source("{{ messages[0].content }}")
    columns = {
        "flag": pa.array([True]),
        "small": pa.array([-3], pa.int8()),
        "large": pa.array([2**64 - 1], pa.uint64()),
        "half": pa.array([0.5], pa.float32()),
        "float": pa.array([1e22]),
        "category": pa.array(["a"]).dictionary_encode(),
        "list": pa.array([[1, None, 3]]),
        "fixed": pa.array([[1, 2]], pa.list_(pa.int16(), 2)),
        "inner": pa.array([{"a": [{"b": "c"}]}]),
        "map": pa.array([[("x", 1), ("y", None)]], pa.map_(pa.string(), pa.int64())),
    }
    content = pa.StructArray.from_arrays(list(columns.values()), list(columns))
    messages = pa.StructArray.from_arrays([content], ["content"])
    expected = {name: column.to_pylist()[0] for name, column in columns.items()}
    expected["map"] = dict(expected["map"])
    text = chat.render_batch(messages=pa.ListArray.from_arrays([0, 1], messages))[0]
    assert text == str(expected)


def test_rows_that_fail_are_faults_of_their_own():
    chat = pd.ChatTemplate.from_source(
        "{% if messages|length > 2 %}{{ raise_exception('too long') }}{% endif %}{{ messages[0].n }}"
    )
    rows = [[{"n": 1.0}], None, [{"n": float("nan")}], [None], [{"n": 2.0}] * 3, [{"n": 3.0}]]
    column = pa.array(rows, pa.list_(pa.struct([("n", pa.float64())])))
    result = chat.render_batch(messages=column, on_error="column")
    assert result.texts.to_pylist() == ["1.0", None, None, None, None, "3.0"]
    errors = [row["error"] for row in pa.record_batch(result).to_pylist()]
    codes = [error and error["code"] for error in errors]
    assert codes == [None, "null", "not_json", "not_a_message", "template_raised", None]
    assert errors[2]["pointer"] == "/0/n"
    with pytest.raises(pd.ColumnError) as raised:
        chat.render_batch(messages=column)
    assert (raised.value.code, raised.value.row) == ("null", 1)


def deep(levels: int) -> pa.Array:
    array = pa.array([1])
    for _ in range(levels):
        array = pa.StructArray.from_arrays([array], ["a"])
    return pa.ListArray.from_arrays([0, 1], array)


@pytest.mark.parametrize(
    ("arguments", "code", "pointer"),
    [
        ({}, "wrong_argument", None),
        ({"messages_json": ["[]"], "messages": pa.array(PLAIN)}, "wrong_argument", None),
        ({"messages": pa.array(["[]"])}, "wrong_column", "/messages"),
        ({"messages": pa.array([["a"]])}, "wrong_column", "/messages"),
        ({"messages": pa.array([{"role": "user"}])}, "wrong_column", "/messages"),
        ({"messages": pa.array([[{"role": b"user"}]])}, "wrong_column", "/messages/0/role"),
        ({"messages_json": pa.array(PLAIN)}, "wrong_column", "/messages_json"),
        ({"messages": deep(200)}, "too_deep", None),
        (
            {
                "messages": pa.ListArray.from_arrays(
                    [0, 1], pa.StructArray.from_arrays([pa.array([1]), pa.array([2])], ["a", "a"])
                )
            },
            "duplicate_key",
            "/messages/0/a",
        ),
    ],
)
def test_columns_that_hold_no_conversations(arguments, code, pointer):
    chat = pd.ChatTemplate.from_source("{{ messages }}")
    for call in (
        lambda: chat.render_batch(**arguments),
        lambda: chat.render_batch(**arguments, on_error="column"),
    ):
        with pytest.raises(pd.ColumnError) as raised:
            call()
        assert raised.value.code == code
        assert pointer is None or raised.value.pointer == pointer


def test_empty_columns_of_conversations():
    chat = pd.ChatTemplate.from_source("{{ messages|length }}")
    assert len(chat.render_batch(messages=pa.array([], pa.array(PLAIN).type))) == 0
    assert chat.render_batch(messages=pa.array([[], []], pa.list_(pa.null()))).to_pylist() == ["0", "0"]
