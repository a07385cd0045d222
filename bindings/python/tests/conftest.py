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


def required(variable: str) -> str:
    value = os.environ.get(variable)
    assert value, f"{variable} is not set: run `npm run test:wheel`, which sets it"
    return value


@pytest.fixture(scope="session")
def cases() -> Callable[[str], Questions]:
    """The cases of a kind, as the tests of the crates generate them."""

    def read(kind: str) -> Questions:
        program = required("PROMPTDECK_CASES")
        run = subprocess.run([program, kind], stdout=subprocess.PIPE, check=True)
        return [json.loads(line) for line in run.stdout.splitlines()]

    return read


@pytest.fixture(scope="session")
def oracle() -> Callable[[str, Questions], Questions]:
    """The answers of a script of tests/conformance to its questions."""

    def ask(script: str, questions: Questions) -> Questions:
        lines = "".join(json.dumps(question) + "\n" for question in questions)
        run = subprocess.run(
            [required("PROMPTDECK_ORACLE_PYTHON"), ROOT / "tests" / "conformance" / script],
            input=lines.encode(),
            stdout=subprocess.PIPE,
            check=True,
        )
        answers = [json.loads(line) for line in run.stdout.splitlines()]
        assert len(answers) == len(questions)
        return answers

    return ask


@pytest.fixture(scope="session")
def registries() -> pathlib.Path:
    return ROOT / "registries"
