"""The number of threads of a batch: bounded, whoever sets it."""

from __future__ import annotations

import time

import promptdeck as pd
import pytest

MODEL = pd.Model.from_json('{"rules": {"items": [{"id": "a", "text": "One."}]}}')
CHAT = pd.ChatTemplate.from_source("{{ messages }}")


@pytest.mark.parametrize("threads", [0, -1, 1025, 10_000_000, 2**70, -(2**70), 10**5000], ids=hex)
def test_a_number_out_of_range_is_refused(threads):
    for call in (
        lambda: MODEL.hydrate_batch(seeds=range(3), threads=threads),
        lambda: CHAT.render_batch(messages_json=["[]"], threads=threads),
    ):
        with pytest.raises(pd.ColumnError, match="threads is an integer from 1 to 1024, not") as raised:
            call()
        assert raised.value.code == "wrong_argument"


@pytest.mark.parametrize("text", ["x", "0", "-1", "1025", "99999999", "2.0"])
def test_a_variable_out_of_range_is_refused(monkeypatch, text):
    monkeypatch.setenv("PROMPTDECK_THREADS", text)
    with pytest.raises(pd.ColumnError, match="PROMPTDECK_THREADS is an integer from 1 to 1024") as raised:
        MODEL.hydrate_batch(seeds=range(3))
    assert raised.value.code == "wrong_argument" and repr(text)[1:-1] in str(raised.value)
    assert len(MODEL.hydrate_batch(seeds=range(3), threads=1)) == 3


@pytest.mark.parametrize(
    ("variable", "text"),
    [
        ("PROMPTDECK_THREADS", ""),
        ("PROMPTDECK_THREADS", " 2 "),
        ("OMP_NUM_THREADS", "4,2"),
        ("OMP_NUM_THREADS", "99999999"),
        ("OMP_NUM_THREADS", "x"),
    ],
)
def test_other_variables_are_followed_within_bounds(monkeypatch, variable, text):
    monkeypatch.setenv(variable, text)
    assert len(MODEL.hydrate_batch(seeds=range(3))) == 3


def test_no_more_threads_start_than_there_is_work():
    assert MODEL.hydrate_batch(seeds=[], threads=1024).to_pylist() == []
    started = time.perf_counter()
    for _ in range(100):
        MODEL.hydrate_batch(seeds=range(2), threads=1024)
    # A hundred times a thousand threads take several seconds.
    assert time.perf_counter() - started < 1
