"""Bad input: an exception with a code and a place, never a panic, never a wrong row."""

from __future__ import annotations

import datetime
import enum
import json
import pickle
import time
import types

import numpy as np
import promptdeck as pd
import pyarrow as pa
import pytest

SMALL = '{"rules": {"items": [{"id": "a", "text": "One."}, {"id": "b", "text": "Two."}]}}'


@pytest.fixture(scope="module")
def model(registries):
    return pd.load(registries / "noir_roller.json")


@pytest.mark.parametrize(
    ("text", "code", "line", "pointer"),
    [
        ("", "syntax", 1, ""),
        ("no JSON", "syntax", 1, ""),
        ('{\n"rules": {"items": 3}}', "wrong_type", 2, "/rules/items"),
        ('{"a": 1, "a": 2}', "duplicate_key", 1, "/a"),
        ('{"a": ' + "[" * 200, "too_deep", 1, None),
        ("[]", "wrong_type", 1, ""),
        ('{"a": 1}', "not_a_registry", None, ""),
        ('{"version": 23, "rules": {"items": []}}', "unsupported_version", 1, "/version"),
    ],
)
def test_registries_that_are_none(text, code, line, pointer):
    with pytest.raises(pd.RegistryError) as raised:
        pd.Model.from_json(text)
    error = raised.value
    assert (error.code, error.line) == (code, line)
    assert pointer is None or error.pointer == pointer
    assert isinstance(error, ValueError) and "\n" not in str(error)


@pytest.mark.parametrize(
    ("path", "says"),
    [
        ("trivia_host.checks.json", "not a registry but a file of checks"),
        ("calls/quiz_night.json", "not a registry but a call document"),
        ("registry.schema.json", "not a registry but a JSON Schema"),
    ],
)
def test_files_of_another_kind(registries, path, says):
    with pytest.raises(pd.RegistryError, match=says) as raised:
        pd.load(registries / path)
    assert raised.value.code == "not_a_registry"


def test_files(tmp_path):
    with pytest.raises(FileNotFoundError) as raised:
        pd.load(tmp_path / "absent.json")
    assert raised.value.filename == str(tmp_path / "absent.json")
    with pytest.raises(IsADirectoryError):
        pd.load(tmp_path)
    (tmp_path / "latin.json").write_bytes(b'{"a": "\xe9"}')
    with pytest.raises(pd.RegistryError, match="latin.json") as raised:
        pd.load(tmp_path / "latin.json")
    assert raised.value.code == "encoding" and raised.value.column == 8
    with pytest.raises(FileNotFoundError):
        pd.ChatTemplate.from_dir(tmp_path / "absent")
    with pytest.raises(pd.ChatError) as raised:
        pd.ChatTemplate.from_dir(tmp_path)
    assert raised.value.code == "no_template"
    (tmp_path / "README.md").write_text("# Not a model")
    with pytest.raises(NotADirectoryError):
        pd.ChatTemplate.from_dir(tmp_path / "README.md")
    with pytest.raises(pd.ChatError) as raised:
        pd.ChatTemplate.from_gguf(tmp_path / "README.md")
    assert raised.value.code == "not_gguf"
    for absent, error in ((tmp_path / "absent", FileNotFoundError), (tmp_path, IsADirectoryError)):
        with pytest.raises(error):
            pd.ChatTemplate.from_gguf(absent)
    (tmp_path / "bad.gguf").write_bytes(b"GGUF")
    with pytest.raises(pd.ChatError) as raised:
        pd.ChatTemplate.from_gguf(tmp_path / "bad.gguf")
    assert raised.value.code == "gguf_damaged"


@pytest.mark.parametrize(
    ("state", "code", "pointer"),
    [
        ("[]", "wrong_type", ""),
        ({"selection": {}}, "unknown_key", "/selection"),
        ('{"selection": {}}', "unknown_key", "/selection"),
        ({"selections": []}, "wrong_type", "/selections"),
        ({"selections": {"a/b": 7}}, "wrong_type", "/selections/a~1b"),
        ({"selections": {"a": ["x", None]}}, "wrong_type", "/selections/a/1"),
        ({"selections": {7: "a"}}, "wrong_type", "/selections"),
        ({"sliders": {"a": True}}, "wrong_type", "/sliders/a"),
        ({"section_random": {"a": 1}}, "wrong_type", "/section_random/a"),
        ({"template_vars": {"a::b": "\ud800"}}, "lone_surrogate", "/template_vars/a::b"),
        ({"array_modes": {"a": "all"}}, "wrong_type", "/array_modes/a"),
    ],
)
def test_states_that_are_none(model, state, code, pointer):
    with pytest.raises(pd.CallError) as raised:
        model.hydrate(state, seed=1)
    assert (raised.value.code, raised.value.pointer) == (code, pointer)


def test_states_may_be_any_mapping_and_none_is_missing(model):
    plain = {"selections": {"case": None}, "sliders": None}
    expected = model.hydrate(seed=3)
    assert model.hydrate(plain, seed=3) == expected
    assert model.hydrate(types.MappingProxyType({}), seed=3) == expected
    assert model.hydrate(json.dumps(plain), seed=3) == expected
    assert pd.State(plain) == pd.State() != pd.State({"sliders": {"a": 1}})


@pytest.mark.parametrize("seed", [-1, 2**53, 2**64, -(2**70)])
def test_seeds_out_of_range(model, seed):
    with pytest.raises(pd.CallError) as raised:
        model.hydrate(seed=seed)
    assert raised.value.code == "bad_seed" and str(seed) in str(raised.value)
    result = model.hydrate_batch(seeds=[seed, 1], on_error="column")
    assert result.texts.to_pylist() == [None, model.hydrate(seed=1)]
    for call in (
        lambda: model.check(seed=seed),
        lambda: model.hydrate_batch(seeds=range(seed, seed + 2)),
    ):
        with pytest.raises(pd.CallError) as raised:
            call()
        assert raised.value.code == "bad_seed"


@pytest.mark.parametrize("seed", ["7", 7.0, [7], True, np.True_])
def test_seeds_that_are_none(model, seed):
    for call in (model.hydrate, model.explain, model.check):
        with pytest.raises(TypeError, match="^seed: expected an integer, found a value of type"):
            call(seed=seed)
    with pytest.raises(pd.ColumnError) as raised:
        model.hydrate_batch(seeds=[1, seed])
    assert (raised.value.code, raised.value.pointer) == ("wrong_type", "/seeds/1")


def test_a_drawn_seed_is_reported(model):
    hydration = model.explain()
    assert model.hydrate(seed=hydration["seed"]) == hydration["text"]
    assert "".join(segment["text"] for segment in hydration["segments"]) == hydration["text"]


def test_unknown_routes(model):
    for call in (model.hydrate, model.explain, model.policy_for, model.generation):
        with pytest.raises(pd.CallError) as raised:
            call(route="nowhere")
        assert raised.value.code == "unknown_route"
    with pytest.raises(pd.CallError):
        model.hydrate_batch(seeds=range(3), route="nowhere", on_error="column")


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        ({"states": pa.array([1, 2])}, "wrong_column"),
        ({"states": pa.array([b"{}"])}, "wrong_column"),
        ({"states": [{}]}, "wrong_type"),
        ({"seeds": pa.array([1.5])}, "wrong_column"),
        ({"seeds": ["1"]}, "wrong_type"),
        ({"seeds": np.array([True])}, "wrong_type"),
        ({"states": ["{}"], "seeds": [1, 2]}, "different_lengths"),
        ({}, "wrong_argument"),
        ({"seeds": [1], "on_error": "ignore"}, "wrong_argument"),
        ({"states": pa.table({"state": ["{}"]})}, "wrong_column"),
        ({"seeds": range(2**60)}, "too_many_rows"),
    ],
)
def test_columns_that_are_none(model, arguments, code):
    with pytest.raises(pd.ColumnError) as raised:
        model.hydrate_batch(**arguments)
    assert raised.value.code == code


def test_states_that_are_no_texts_say_how_to_make_some(model):
    for states in ([{}, {}], [types.MappingProxyType({})]):
        with pytest.raises(pd.ColumnError, match="found a value of type .*, of which json.dumps makes a text"):
            model.hydrate_batch(states=states)


def test_any_mapping_is_a_dictionary():
    proxy = types.MappingProxyType
    model = pd.Model.from_dict(proxy(json.loads(SMALL)))
    assert model == pd.Model.from_json(json.dumps(json.loads(SMALL), separators=(",", ":")))
    assert pd.Policy(proxy({"max_length": 1})) == pd.Policy({"max_length": 1})
    texts = model.hydrate_batch(states=proxy({"selections": {}}), seeds=(np.int64(1), 2), threads=np.int64(1))
    assert list(texts) == [model.hydrate(seed=np.int64(seed)) for seed in (1, 2)]


def test_errors_of_rows_without_an_arrow_library(model):
    states = ["{}", '{"selections":\n7}', None]
    result = model.hydrate_batch(states=states, seeds=range(3), on_error="column")
    assert [one["row"] for one in result.errors] == [1, 2]
    first, second = result.errors
    assert (first["code"], first["line"], first["pointer"]) == ("wrong_type", 2, "/selections")
    assert (first["message"], second["code"]) == (result.messages[1], "null")
    assert pa.record_batch(result)["error"].to_pylist()[1] == {
        key: value for key, value in first.items() if key != "row"
    }


def test_nulls_are_faults_of_their_rows(model):
    seeds = pa.array([1, None, 3])
    result = model.hydrate_batch(seeds=seeds, on_error="column")
    expected = [model.hydrate(seed=1), None, model.hydrate(seed=3)]
    assert result.texts.to_pylist() == expected
    with pytest.raises(pd.ColumnError) as raised:
        model.hydrate_batch(seeds=seeds)
    assert (raised.value.code, raised.value.row) == ("null", 1)


def test_templates_that_fail():
    with pytest.raises(pd.ChatError) as raised:
        pd.ChatTemplate.from_source("a\n {% if %}")
    assert (raised.value.code, raised.value.line) == ("template_syntax", 2)
    chat = pd.ChatTemplate.from_source(
        "{% if messages|length > 1 %}{{ raise_exception('only one message') }}{% endif %}ok"
    )
    one, two = [{"role": "user", "content": "Hi"}], [{"role": "user", "content": "Hi"}] * 2
    with pytest.raises(pd.ChatError, match="only one message") as raised:
        chat.apply_chat_template(two)
    assert raised.value.code == "template_raised" and raised.value.line == 1
    rows = [json.dumps(one), json.dumps(two), "[7]", "no JSON", "{}"]
    result = chat.render_batch(messages_json=rows, on_error="column")
    assert result.texts.to_pylist() == ["ok", None, None, None, None]
    assert str(result.messages[1]).startswith("only one message")
    endless = pd.ChatTemplate.from_source("{% for i in range(99999) %}{% for j in range(99999) %}x{% endfor %}{% endfor %}")
    with pytest.raises(pd.ChatError) as raised:
        endless.apply_chat_template(one)
    assert raised.value.code == "template_limit"


class Colour(enum.IntEnum):
    RED = 3


@pytest.mark.parametrize(
    ("message", "code", "pointer"),
    [
        (7, "not_a_message", "/0"),
        ({"content": object()}, "wrong_type", "/0/content"),
        ({"content": float("nan")}, "not_json", "/0/content"),
        ({"content": "\udfff"}, "lone_surrogate", "/0/content"),
        ({1: "a"}, "wrong_type", "/0"),
    ],
)
def test_messages_that_are_none(message, code, pointer):
    chat = pd.ChatTemplate.from_source("{{ messages }}")
    with pytest.raises(pd.ChatError) as raised:
        chat.apply_chat_template([message])
    assert (raised.value.code, raised.value.pointer) == (code, pointer)


def test_values_of_python_print_as_in_jinja():
    chat = pd.ChatTemplate.from_source("{{ messages[0].content }}")
    values = {
        "big": 12345678901234567890123,
        "float": 1e22,
        "tuple": (1, 2),
        "enumeration": Colour.RED,
        "none": None,
        "flag": True,
        "nested": types.MappingProxyType({"a": [1.0, "é"]}),
    }
    text = chat.apply_chat_template([{"role": "user", "content": values}])
    plain = {**values, "tuple": [1, 2], "enumeration": 3, "nested": dict(values["nested"])}
    assert text == str(plain)


def test_a_value_that_holds_itself_is_refused():
    value: list[object] = []
    value.append(value)
    chat = pd.ChatTemplate.from_source("{{ messages }}")
    with pytest.raises(pd.ChatError) as raised:
        chat.apply_chat_template([{"content": value}])
    assert raised.value.code == "too_deep"


def test_arguments_of_transformers():
    chat = pd.ChatTemplate.from_source("{{ bos_token }}{{ x }}{{ documents }}", bos_token="<s>")
    messages = [{"role": "user", "content": "Hi"}]
    assert chat.apply_chat_template(messages, x=1) == "<s>1None"
    assert chat.apply_chat_template(messages, bos_token="<t>", documents=[{}]) == "<t>[{}]"
    assert chat.apply_chat_template([messages, messages], x=2) == ["<s>2None"] * 2
    with pytest.raises(pd.ChatError):
        chat.apply_chat_template(messages, tokenize=True)  # pyright: ignore
    clock = pd.ChatTemplate.from_source("{{ strftime_now('%Y') }}")
    assert clock.apply_chat_template(messages) == time.strftime("%Y")
    for now in ("2024", datetime.date(2024, 1, 1), datetime.time(9)):
        with pytest.raises(TypeError, match="^now: expected a datetime, found a value of type"):
            clock.apply_chat_template(messages, now=now)  # pyright: ignore


def test_pickles(model):
    for value in (model, pd.State({"sliders": {"a": 1}}), model.policy):
        restored = pickle.loads(pickle.dumps(value))
        assert restored.to_json() == value.to_json()
    assert pickle.loads(pickle.dumps(model)).hydrate(seed=5) == model.hydrate(seed=5)
    chat = pd.ChatTemplate.from_source("{{ bos_token }}", bos_token="<s>")
    assert pickle.loads(pickle.dumps(chat)).apply_chat_template([]) == "<s>"
    for verdict in (model.policy.apply("Fine."), pd.Policy({"min_length": 9}).apply("No.")):
        assert pickle.loads(pickle.dumps(verdict)) == verdict
        assert bool(verdict) == verdict.accepted
    texts = model.hydrate_batch(seeds=range(3))
    assert pickle.loads(pickle.dumps(texts)).to_pylist() == texts.to_pylist()
    result = model.hydrate_batch(states=["{}", "\n7", None], seeds=[1, 2, 3], on_error="column")
    restored = pickle.loads(pickle.dumps(result))
    assert pa.record_batch(restored) == pa.record_batch(result) and restored.failed == 2
    error = pd.CallError("message", "code", pointer="/a", row=3)
    restored = pickle.loads(pickle.dumps(error))
    assert (str(restored), restored.__dict__) == ("message", error.__dict__)


def test_a_pickle_of_a_newer_version():
    reduced = pd.State().__reduce__()
    assert isinstance(reduced, tuple)
    restore, (kind, form, _, text) = reduced
    for newer in ((kind, form + 1, "9.9.9", text), ("deck", form, "9.9.9", text)):
        with pytest.raises(pd.PickleError, match="install promptdeck 9.9.9") as raised:
            restore(*newer)
        assert raised.value.code == "newer_pickle"


def test_what_is_made_of_the_same_is_equal(model):
    chat = pd.ChatTemplate.from_source("a", bos_token="b")
    for value in (model, model.policy, chat):
        restored = pickle.loads(pickle.dumps(value))
        assert restored == value and hash(restored) == hash(value) and value != 7
    assert chat != pd.ChatTemplate.from_source("a") and model.policy != pd.Policy({"max_length": 1})
    assert pd.Model.from_json(SMALL) != model


def test_slices_of_texts(model):
    texts = model.hydrate_batch(seeds=range(5))
    plain = texts.to_pylist()
    for part in (slice(1, 3), slice(None, None, -1), slice(4, 0, -2), slice(7, 9)):
        assert texts[part].to_pylist() == plain[part]
    assert pa.array(texts[1:3]).to_pylist() == plain[1:3] and texts[-1] == plain[-1]
    for wrong in ("a", 1.0):
        with pytest.raises(TypeError):
            texts[wrong]
    with pytest.raises(IndexError):
        texts[5]


def test_a_pickle_that_is_damaged(model):
    results = (model.policy.apply("a"), model.hydrate_batch(seeds=[1]))
    chat = pd.ChatTemplate.from_source("a")
    for value in (model, pd.State(), model.policy, chat, *results):
        reduced = value.__reduce__()
        assert isinstance(reduced, tuple)
        restore, (kind, form, version, text) = reduced
        for damaged in ("", "no JSON", text[: len(text) // 2], "[7]"):
            with pytest.raises(pd.PromptdeckError):
                restore(kind, form, version, damaged)


class Producer:
    """A producer of Arrow columns that keeps to no rule."""

    def __init__(self, answer: object):
        self.answer = answer

    def __arrow_c_array__(self, requested_schema: object | None = None) -> tuple[object, object]:
        if isinstance(self.answer, Exception):
            raise self.answer
        return self.answer  # pyright: ignore


@pytest.mark.parametrize("answer", [None, (1, 2), ("a",), KeyError("no column")])
def test_producers_that_fail(model, answer):
    chat = pd.ChatTemplate.from_source("a")
    producer = Producer(answer)
    expected = KeyError if isinstance(answer, KeyError) else (TypeError, ValueError)
    with pytest.raises(expected):
        model.hydrate_batch(states=producer)
    with pytest.raises(expected):
        model.hydrate_batch(seeds=producer)
    with pytest.raises(expected):
        chat.render_batch(messages_json=producer)
    with pytest.raises(expected):
        chat.render_batch(messages=producer)


def test_columns_that_are_damaged(model):
    def texts(offsets: bytes, text: bytes) -> pa.Array:
        buffers = [None, pa.py_buffer(offsets), pa.py_buffer(text)]
        return pa.Array.from_buffers(pa.string(), 1, buffers)

    no_text = texts(b"\0\0\0\0\1\0\0\0", b"\xff")
    # pyarrow itself looks only at the first and the last offset.
    backwards = pa.Array.from_buffers(
        pa.string(),
        2,
        [None, pa.py_buffer(b"\0\0\0\0\4\0\0\0\2\0\0\0"), pa.py_buffer(b"{}{}")],
    )
    chat = pd.ChatTemplate.from_source("{{ messages }}")
    for column in (no_text, backwards):
        messages = pa.StructArray.from_arrays([column], ["content"])
        for call in (
            lambda: model.hydrate_batch(states=column, on_error="column"),
            lambda: chat.render_batch(messages_json=column, on_error="column"),
            lambda: chat.render_batch(messages=pa.ListArray.from_arrays([0, 1], messages)),
        ):
            with pytest.raises(pd.ColumnError) as raised:
                call()
            assert raised.value.code == "invalid_column"


class Unreadable(dict[str, object]):
    """A mapping that raises when it is read."""

    def keys(self):
        raise LookupError("unreadable")

    __iter__ = items = keys


def test_exceptions_of_a_callers_objects_come_through(model):
    unreadable = types.MappingProxyType(Unreadable(a=1))
    with pytest.raises(LookupError, match="unreadable"):
        model.hydrate(unreadable)
    chat = pd.ChatTemplate.from_source("{{ messages }}")
    with pytest.raises(LookupError, match="unreadable"):
        chat.apply_chat_template([unreadable])


def test_small_models():
    model = pd.Model.from_json(SMALL)
    assert model.sections == ["rules"] and model.routes == [] and model.title is None
    assert model.generation() == {} and model.to_json() == SMALL
    assert pd.Model.from_dict(json.loads(SMALL)).hydrate(seed=0) == model.hydrate(seed=0)
    assert model.check({"selections": {"rules": "c"}})[0]["code"] == "state_unknown_item"
    assert repr(model) == "<promptdeck.Model of 1 section>"
    assert repr(model.hydrate_batch(seeds=[1])) == "<promptdeck.TextColumn of 1 text>"
    result = model.hydrate_batch(seeds=[1, 2], on_error="column")
    assert repr(result) == "<promptdeck.ResultBatch of 2 rows, 0 failed>"


def test_the_pointers_of_a_check_are_those_of_the_document(registries):
    model = pd.load(registries / "trivia_host.json")
    document = json.loads(model.to_json())
    lines = model.to_json().split("\n")
    found = model.check({"selections": {"personas": "deadpn"}})
    assert found and found[0]["code"] == "state_unknown_item"
    for one in found:
        assert one["pointer"].startswith("/registry/") and one["place"]
        value = document
        for step in one["pointer"].split("/")[1:]:
            value = value[int(step) if isinstance(value, list) else step]
        assert 0 < one["place"]["column"] <= len(lines[one["place"]["line"] - 1])
    bare = pd.Model.from_dict(document["registry"]).check({"selections": {"personas": "deadpn"}})
    assert [f"/registry{one['pointer']}" for one in bare] == [one["pointer"] for one in found]
