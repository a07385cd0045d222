"""What a registry ignores in a state: warnings, and errors with `strict=True`."""

from __future__ import annotations

import json
import pickle
import warnings
from collections.abc import Iterable

import promptdeck as pd
import pytest

MISSPELLED = {"selections": {"personas": "deadpn"}}


@pytest.fixture(scope="module")
def model(registries):
    return pd.load(registries / "trivia_host.json")


def rows_of(caught: Iterable[warnings.WarningMessage]) -> list[int | None]:
    found = [warning.message for warning in caught]
    return [one.row for one in found if isinstance(one, pd.PromptdeckWarning)]


def test_a_misspelled_name_is_a_warning(model):
    for state in (MISSPELLED, json.dumps(MISSPELLED), pd.State(MISSPELLED)):
        with pytest.warns(pd.PromptdeckWarning, match='did you mean "deadpan"') as caught:
            text = model.hydrate(state, seed=1)
        assert text
        [warning] = caught
        assert isinstance(warning.message, pd.PromptdeckWarning)
        assert warning.filename == __file__
        found = warning.message
        assert (found.code, found.pointer) == ("state_unknown_item", "/selections/personas")
        assert [found.code] == [one["code"] for one in model.explain(state, seed=1)["diagnostics"]]
    restored = pickle.loads(pickle.dumps(found))
    assert (str(restored), restored.__dict__) == (str(found), found.__dict__)


def test_strict_makes_it_an_error(model):
    for call in (
        lambda: model.hydrate(MISSPELLED, seed=1, strict=True),
        lambda: model.hydrate_batch(states=MISSPELLED, seeds=[1], strict=True),
    ):
        with pytest.raises(pd.CallError, match='did you mean "deadpan"') as raised:
            call()
        assert (raised.value.code, raised.value.pointer) == (
            "state_unknown_item",
            "/selections/personas",
        )


def test_a_state_without_a_mistake_is_silent(model):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        state = {"selections": {"personas": "deadpan"}}
        assert model.hydrate(state, seed=1) == model.hydrate(state, seed=1, strict=True)
        model.hydrate_batch(states=[json.dumps(state)] * 3, seeds=range(3), strict=True)


def test_a_batch_warns_once_for_all_rows(model):
    states = ["{}", json.dumps(MISSPELLED), json.dumps({"sliders": {"sentimnt": 1}})] * 50
    with pytest.warns(pd.PromptdeckWarning) as caught:
        texts = model.hydrate_batch(states=states, seeds=range(150), threads=3)
    found = [warning.message for warning in caught]
    assert len(texts) == 150 and rows_of(caught) == [1, 2]
    assert [str(one).partition(": ")[0] for one in found] == [
        "row 1 and 49 more",
        "row 2 and 49 more",
    ]
    with pytest.warns(pd.PromptdeckWarning, match="^row 1: "):
        model.hydrate_batch(states=states[:2], seeds=[1, 2])
    with pytest.warns(pd.PromptdeckWarning) as caught:
        model.hydrate_batch(states=MISSPELLED, seeds=range(9))
    assert rows_of(caught) == [None]


def test_a_strict_batch_has_errors_of_rows(model):
    states = ["{}", json.dumps(MISSPELLED)]
    with pytest.raises(pd.CallError) as raised:
        model.hydrate_batch(states=states, seeds=[1, 2], strict=True)
    assert (raised.value.code, raised.value.row) == ("state_unknown_item", 1)
    result = model.hydrate_batch(states=states, seeds=[1, 2], strict=True, on_error="column")
    assert result.failed == 1 and result.texts[0] == model.hydrate(seed=1)


def test_many_different_warnings_are_counted(model):
    states = [json.dumps({"sliders": {f"s{row}": 1}}) for row in range(103)]
    with pytest.warns(pd.PromptdeckWarning) as caught:
        model.hydrate_batch(states=states, seeds=range(103), threads=1)
    assert len(caught) == 101 and str(caught[-1].message) == "3 more warnings not listed"
