"""The dictionaries that the package returns, for type checkers."""

from __future__ import annotations

from typing import Any, Literal, TypedDict


class Diagnostic(TypedDict):
    """What looks like a mistake, and where.

    `pointer` is the JSON pointer to it, `also` are further ones, `place` is its line and column. In
    the message things are counted from 1, in `data` from 0.
    """

    code: str
    severity: Literal["error", "warning", "note"]
    message: str
    pointer: str
    also: list[str]
    data: dict[str, Any]
    place: dict[str, int] | None


class Hydration(TypedDict):
    """A prompt with what was used and why.

    The texts of `segments` join to `text`; `gaps` are the variables without a value, `evaluation` the
    values used, `tokens` the outcome of each entry of the assembly order.
    """

    text: str
    segments: list[dict[str, Any]]
    gaps: list[dict[str, Any]]
    evaluation: dict[str, Any]
    tokens: list[dict[str, Any]]
    diagnostics: list[Diagnostic]
    seed: int


class RowError(TypedDict):
    """Why a row of a batch failed: what a `PromptdeckError` would say."""

    row: int
    code: str
    message: str
    line: int | None
    column: int | None
    pointer: str | None
