"""What the tests share: the cases of the conformance tests, and the programs they are compared
with. What is missing is a failure: a comparison that did not happen proves nothing."""

from __future__ import annotations

import json
import os
import pathlib
import subprocess
from collections.abc import Callable
from typing import Any

import pytest

ROOT = pathlib.Path(__file__).parents[3]
Questions = list[dict[str, Any]]
Lines = list[str]


def required(variable: str) -> str:
    value = os.environ.get(variable)
    assert value, f"{variable} is not set: run `npm run test:wheel`, which sets it"
    return value


@pytest.fixture(scope="session")
def cases() -> Callable[[str], Lines]:
    """The cases of a kind, as the tests of the crates generate them: JSON, with the spelling of
    numbers that a dictionary would lose."""

    def read(kind: str) -> Lines:
        program = required("PROMPTDECK_CASES")
        run = subprocess.run([program, kind], stdout=subprocess.PIPE, check=True)
        # Not `splitlines`: texts hold line separators of Unicode.
        return run.stdout.decode().rstrip("\n").split("\n")

    return read


@pytest.fixture(scope="session")
def oracle() -> Callable[[str, Lines], Questions]:
    """The answers of a script of tests/conformance to its questions."""

    def ask(script: str, lines: Lines) -> Questions:
        run = subprocess.run(
            [required("PROMPTDECK_ORACLE_PYTHON"), ROOT / "tests" / "conformance" / script],
            input="".join(line + "\n" for line in lines).encode(),
            stdout=subprocess.PIPE,
            check=True,
        )
        answers = [json.loads(line) for line in run.stdout.splitlines()]
        assert len(answers) == len(lines)
        return answers

    return ask


@pytest.fixture(scope="session")
def registries() -> pathlib.Path:
    return ROOT / "registries"
