"""What nothing reads in a registry, and what its prompt prints otherwise than was meant: warnings, and
errors with `strict=True`, as on the command line."""

from __future__ import annotations

import json
import pickle
import warnings
from collections.abc import Iterable
from typing import Any

import promptdeck as pd
import pytest

MISSPELLED = """{
  "assembly_order": ["a"],
  "a": {
    "requird": true,
    "items": [{"id": "x", "text": "Hi"}]
  }
}"""
GAP = {
    "assembly_order": ["rules"],
    "rules": {"items": [{"id": "brief", "text": "Be brief, {name}."}], "template_vars": ["name"]},
}
JINJA = {"template_engine": "jinja", "assembly_order": ["a"], "a": {"items": [{"text": "You are {{ name }}"}]}}


def codes(caught: Iterable[warnings.WarningMessage]) -> list[str]:
    found = [warning.message for warning in caught]
    return [one.code for one in found if isinstance(one, pd.PromptdeckWarning)]


def warned(registry: dict[str, Any]) -> pd.Model:
    with pytest.warns(pd.PromptdeckWarning):
        return pd.Model.from_dict(registry)


@pytest.fixture
def silent():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        yield


def test_a_key_that_nothing_reads_is_a_warning_where_it_is_read(tmp_path):
    file = tmp_path / "typo.json"
    file.write_text(MISSPELLED)
    for read in (
        lambda: pd.load(file),
        lambda: pd.Model.from_json(MISSPELLED),
        lambda: pd.Model.from_dict(json.loads(MISSPELLED)),
    ):
        with pytest.warns(pd.PromptdeckWarning, match='did you mean "required"') as caught:
            model = read()
        [warning] = caught
        assert isinstance(warning.message, pd.PromptdeckWarning)
        assert warning.filename == __file__
        found = warning.message
        assert (found.code, found.pointer) == ("unknown_key", "/a/requird")
    with pytest.warns(pd.PromptdeckWarning, match="typo.json: line 4, column ") as caught:
        pd.load(file)
    assert isinstance(caught[0].message, pd.PromptdeckWarning)
    assert caught[0].message.line == 4
    with pytest.raises(pd.CallError, match='did you mean "required"') as raised:
        model.hydrate(seed=1, strict=True)
    assert (raised.value.code, raised.value.pointer) == ("unknown_key", "/a/requird")
    with pytest.raises(pd.CallError, match='did you mean "required"'):
        model.hydrate_batch(seeds=[1], strict=True, on_error="column")


def test_a_call_or_a_pickle_warns_of_no_registry():
    model = warned(json.loads(MISSPELLED))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert model.hydrate(seed=1) == pickle.loads(pickle.dumps(model)).hydrate(seed=1) == "Hi"


def test_the_samples_are_silent(silent, registries):
    for name in ("trivia_host", "night_stream", "support_desk", "code_reviewer", "noir_roller"):
        pd.load(registries / f"{name}.json").hydrate(seed=1)


def test_check_lists_what_nothing_reads():
    with pytest.warns(pd.PromptdeckWarning):
        model = pd.Model.from_json(MISSPELLED)
    found = [(one["code"], one["pointer"], one["place"]) for one in model.check()]
    assert ("unknown_key", "/a/requird", {"line": 4, "column": 16}) in found
    gaps = [one["code"] for one in pd.Model.from_dict(GAP).check({})]
    assert "variable_gap" in gaps


def test_a_gap_in_the_prompt_is_a_warning(silent):
    model = pd.Model.from_dict(GAP)
    prepared = pd.State()
    for state in (None, {}, "{}", prepared, prepared):
        with pytest.warns(pd.PromptdeckWarning, match="^name of rules has no value") as caught:
            assert model.hydrate(state, seed=1) == "Be brief, ."
        [warning] = caught
        assert warning.filename == __file__ and isinstance(warning.message, pd.PromptdeckWarning)
        assert warning.message.pointer == "/template_vars/rules::name"
        with pytest.raises(pd.CallError, match='set "rules::name" in template_vars') as raised:
            model.hydrate(state, seed=1, strict=True)
        assert raised.value.code == "variable_gap"
    for value in ("Ada", ""):
        state = {"template_vars": {"rules::name": value}}
        assert model.hydrate(state, seed=1, strict=True) == f"Be brief, {value}."
    assert model.explain(seed=1)["gaps"]


def test_a_batch_warns_once_of_gaps_and_has_errors_of_rows(silent):
    model = pd.Model.from_dict(GAP)
    states = ["{}", '{"template_vars": {"rules::name": "Ada"}}'] * 50
    with pytest.warns(pd.PromptdeckWarning, match="^row 0 and 49 more: name of rules") as caught:
        model.hydrate_batch(states=states, seeds=range(100), threads=3)
    assert codes(caught) == ["variable_gap"]
    with pytest.warns(pd.PromptdeckWarning, match="^row 0 and 8 more: name of rules"):
        model.hydrate_batch(states={}, seeds=range(9))
    result = model.hydrate_batch(states=states, seeds=range(100), strict=True, on_error="column")
    assert result.failed == 50
    assert result.errors[1]["row"] == 2 and result.errors[1]["code"] == "variable_gap"


def test_a_deck_of_jinja_templates_is_given_unrendered():
    with pytest.warns(pd.PromptdeckWarning, match="unrendered") as caught:
        model = pd.Model.from_dict(JINJA)
    assert codes(caught) == ["template_not_rendered"]
    with pytest.raises(pd.CallError, match="promptdeck request"):
        model.hydrate(seed=1, strict=True)


def test_of_a_call_document_only_the_registry_is_read():
    with pytest.warns(pd.PromptdeckWarning, match="only the registry is read") as caught:
        pd.Model.from_dict({"registry": GAP, "message": {"text": "Hi"}})
    assert codes(caught) == ["call_document"]


def test_a_faulty_default_is_refused_unless_a_state_replaces_it():
    items = [{"id": "x", "list": ["one", "two"]}, {"id": "y", "list": ["three"]}]
    several = {"items": items, "selected": ["y", "x"]}
    malformed = {"items": items, "array_modes": {"list": "frist"}}
    modes = {"array_modes": {"a": {"list": "index:0"}}}
    for section, code, replaced in (
        (several, "baked_several_items", {"selections": {"a": "x"}, **modes}),
        (malformed, "baked_mode", modes),
    ):
        model = warned({"assembly_order": ["a.list"], "a": section})
        assert model.hydrate(replaced, seed=1, strict=True) == "one"
        for state in (None, {"section_random": {}}, "{}"):
            with pytest.raises(pd.CallError) as raised:
                model.hydrate(state, seed=1, strict=True)
            assert raised.value.code == code and str(raised.value.pointer).startswith("/a/")
    states = ["{}", json.dumps(replaced)]
    result = model.hydrate_batch(states=states, seeds=[1, 2], strict=True, on_error="column")
    assert [one["row"] for one in result.errors] == [0]
    with pytest.raises(pd.CallError):
        model.hydrate_batch(seeds=[1], strict=True, on_error="column")


def test_a_mode_beyond_a_list_is_a_warning():
    model = pd.Model.from_dict({"assembly_order": ["a.list"], "a": {"items": [{"list": ["one", "two"]}]}})
    state = {"array_modes": {"a": {"list": "indices:0,5"}}}
    with pytest.warns(pd.PromptdeckWarning, match="not among the 2 there are") as caught:
        assert model.hydrate(state, seed=1) == "one"
    assert codes(caught) == ["state_mode_out_of_range"]
    with pytest.raises(pd.CallError, match="not among the 2 there are"):
        model.hydrate(state, seed=1, strict=True)


def test_explain_and_check_refuse_with_strict_what_they_list_without_it(silent):
    with pytest.warns(pd.PromptdeckWarning):
        misspelled = pd.Model.from_json(MISSPELLED)
    for call in (misspelled.explain, misspelled.check):
        assert call()
        with pytest.raises(pd.CallError, match='did you mean "required"') as raised:
            call(strict=True)
        error = raised.value
        assert (error.code, error.pointer, error.line) == ("unknown_key", "/a/requird", 4)
    model = pd.Model.from_dict(GAP)
    for state in ({}, {"template_vars": {"rules::nme": "Ada"}}):
        for call in (model.explain, model.check):
            assert call(state, seed=1)
            with pytest.raises(pd.CallError) as raised:
                call(state, seed=1, strict=True)
            assert raised.value.code in ("variable_gap", "state_unknown_variable")
    state = {"template_vars": {"rules::name": "Ada"}}
    assert model.explain(state, seed=1, strict=True) == model.explain(state, seed=1)
    assert model.check(state, strict=True) == model.check(state)
    with pytest.warns(pd.PromptdeckWarning):
        jinja = pd.Model.from_dict(JINJA)
    with pytest.raises(pd.CallError, match="unrendered"):
        jinja.explain(strict=True)
    # A note is no mistake.
    noted = {**GAP, "rules": {**GAP["rules"], "template_var_defaults": {"name": "{name}"}}}
    [note] = pd.Model.from_dict(noted).check({}, strict=True)
    assert note["severity"] == "note"
