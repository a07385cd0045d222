"""Columns of pyarrow, polars, duckdb and pandas, in and out."""

from __future__ import annotations

import array

import duckdb
import numpy as np
import pandas
import polars
import promptdeck as pd
import pyarrow as pa
import pytest

STATES = ['{"selections": {"personas": "deadpan"}}', "{}", '{"sliders": {"sentiment": 9}}']
SEEDS = [7, 0, 2**53 - 1]


@pytest.fixture(scope="module")
def model(registries):
    return pd.load(registries / "trivia_host.json")


@pytest.fixture(scope="module")
def expected(model):
    return [model.hydrate(state, seed=seed) for state, seed in zip(STATES, SEEDS)]


def duck(sql: str) -> pa.ChunkedArray:
    relation = duckdb.sql(sql)
    assert relation is not None
    return relation.to_arrow_table().column(0)


@pytest.mark.parametrize(
    "states",
    [
        STATES,
        tuple(STATES),
        pa.array(STATES),
        pa.array(STATES, pa.large_string()),
        pa.array(STATES, pa.string_view()),
        pa.array(STATES).dictionary_encode(),
        pa.chunked_array([STATES[:1], [], STATES[1:]]),
        pa.array([None, *STATES])[1:],
        polars.Series(STATES),
        polars.Series(STATES, dtype=polars.Categorical),
        pandas.Series(STATES),
        duck("select unnest([" + ",".join(f"'{state}'" for state in STATES) + "])"),
    ],
    ids=lambda states: f"{type(states).__module__}.{getattr(states, 'type', getattr(states, 'dtype', ''))}",
)
def test_texts_come_from_any_producer(model, expected, states):
    assert model.hydrate_batch(states=states, seeds=SEEDS).to_pylist() == expected


@pytest.mark.parametrize(
    "seeds",
    [
        tuple(SEEDS),
        pa.array(SEEDS, pa.int64()),
        pa.array(SEEDS, pa.uint64()),
        pa.chunked_array([SEEDS[:2], SEEDS[2:]]),
        polars.Series(SEEDS),
        pandas.Series(SEEDS),
    ],
    ids=lambda seeds: type(seeds).__module__,
)
def test_seeds_come_from_any_producer(model, expected, seeds):
    assert model.hydrate_batch(states=STATES, seeds=seeds).to_pylist() == expected


@pytest.mark.parametrize("type_", [pa.int8(), pa.uint8(), pa.int16(), pa.uint16(), pa.int32(), pa.uint32()])
def test_narrow_seeds(model, type_):
    column = model.hydrate_batch(seeds=pa.array([1, 2, 3], type_))
    assert column.to_pylist() == model.hydrate_batch(seeds=range(1, 4)).to_pylist()


def test_texts_go_to_any_consumer(model, expected):
    column = model.hydrate_batch(states=STATES, seeds=SEEDS)
    array = pa.array(column)
    assert array.type == pa.large_string() and array.to_pylist() == expected
    assert pa.chunked_array(column).to_pylist() == expected
    assert pa.array(column, pa.string()).to_pylist() == expected
    assert polars.Series("text", column).to_list() == expected
    assert pandas.Series(pa.array(column).to_pandas()).tolist() == expected
    assert list(column) == expected and column[-1] == expected[-1]
    with pytest.raises(IndexError):
        column[3]


def test_errors_are_a_column(model, expected):
    states = [STATES[0], None, "[]", '{"selection": {}}', '{"sliders": {"a": "b"}}', "{"]
    result = model.hydrate_batch(states=pa.array(states), seeds=[7] * 6, on_error="column")
    assert len(result) == 6 and result.failed == 5
    rows = pa.record_batch(result).to_pylist()
    assert [row["text"] for row in rows] == [expected[0]] + [None] * 5
    errors = [row["error"] for row in rows]
    assert errors[0] is None
    assert [error["code"] for error in errors[1:]] == [
        "null", "wrong_type", "unknown_key", "wrong_type", "syntax",
    ]
    assert errors[4]["pointer"] == "/sliders/a" and errors[4]["line"] == 1
    assert "selections" in errors[3]["message"]
    table = pa.table(result)
    assert table.column_names == ["text", "error"]
    assert polars.DataFrame(result)["text"].null_count() == 5
    counted = duckdb.sql("select count(*) from result where error.code = 'syntax'")
    assert counted is not None and counted.fetchall() == [(1,)]
    assert result.texts[0] == expected[0] and result.messages[0] is None


def test_every_failing_row_is_the_same_for_any_number_of_threads(model):
    states = ["{}"] * 5_000
    for row in (17, 1_400, 4_999):
        states[row] = "broken"
    seeds = range(5_000)
    for threads in (1, 2, 4):
        with pytest.raises(pd.CallError) as raised:
            model.hydrate_batch(states=states, seeds=seeds, threads=threads)
        assert raised.value.row == 17 and str(raised.value).startswith("row 17: ")
        result = model.hydrate_batch(states=states, seeds=seeds, threads=threads, on_error="column")
        failed = [row for row, text in enumerate(result.texts.to_pylist()) if text is None]
        assert failed == [17, 1_400, 4_999]


def test_empty_columns(model):
    empty = model.hydrate_batch(states=[], seeds=[])
    assert len(empty) == 0 and pa.array(empty).type == pa.large_string()
    assert len(model.hydrate_batch(seeds=pa.array([], pa.int64()), on_error="column")) == 0
    assert len(model.hydrate_batch(states=pa.nulls(0))) == 0


def test_texts_become_no_other_type(model):
    texts = model.hydrate_batch(seeds=range(3))
    result = model.hydrate_batch(seeds=[1, -1], on_error="column")
    for wrong in (pa.int64(), pa.float64(), pa.bool_(), pa.timestamp("s")):
        with pytest.raises(pd.ColumnError, match="a column of LargeUtf8 is not one of") as raised:
            pa.array(texts, wrong)
        assert raised.value.code == "wrong_column"
        with pytest.raises(pd.ColumnError):
            pa.chunked_array(texts, wrong)
    for form in (pa.string(), pa.large_string(), pa.string_view(), pa.binary()):
        found = pa.array(texts, form)
        assert found.type == form and found.null_count == 0
        assert found.cast(pa.large_string()).to_pylist() == texts.to_pylist()
    category = pa.dictionary(pa.int32(), pa.string())
    assert pa.array(texts, category).to_pylist() == texts.to_pylist()
    plain = pa.record_batch(result).schema
    assert pa.record_batch(result, schema=plain).num_rows == 2
    other = plain.set(0, pa.field("text", pa.int64()))
    with pytest.raises(pd.ColumnError):
        pa.record_batch(result, schema=other)


def test_arrays_that_make_a_list_of_themselves(model):
    expected = model.hydrate_batch(seeds=range(3)).to_pylist()
    for seeds in (np.arange(3), np.arange(3, dtype=np.uint8), array.array("q", range(3))):
        assert model.hydrate_batch(seeds=seeds).to_pylist() == expected
    assert model.hydrate_batch(seeds=list(np.arange(3))).to_pylist() == expected
    assert model.hydrate(seed=np.int64(2)) == expected[2]
    states = np.array(["{}"] * 3)
    assert model.hydrate_batch(states=states, seeds=range(3)).to_pylist() == expected
    for seeds in (np.arange(3.0), np.array([[1]]), np.array(["1"])):
        with pytest.raises(pd.ColumnError) as raised:
            model.hydrate_batch(seeds=seeds)
        assert raised.value.code in {"wrong_type", "wrong_column"}
    with pytest.raises(pd.CallError, match='not "-1"') as raised:
        model.hydrate(seed=np.int64(-1))
    assert raised.value.code == "bad_seed"
