"""One wheel for every Python from 3.10 on: the same results in the oldest and the newest other one of
this machine. Without another one, the test is skipped and says so."""

from __future__ import annotations

import os
import pathlib
import shutil
import subprocess
import sys

import pytest
from conftest import required

VERSIONS = range(10, 15)
PROBE = pathlib.Path(__file__).with_name("interpreter_probe.py")


def candidates() -> dict[int, list[str]]:
    """Programs that may be a Python of each minor version: on the path, and those of pyenv."""
    pyenv = pathlib.Path(os.environ.get("PYENV_ROOT", pathlib.Path.home() / ".pyenv")) / "versions"
    found = {}
    for minor in VERSIONS:
        named = [shutil.which(f"python3.{minor}")]
        named += [str(path) for path in sorted(pyenv.glob(f"3.{minor}.*/bin/python3.{minor}"))]
        found[minor] = [name for name in named if name]
    return found


def runs(program: str, minor: int) -> bool:
    """Whether it runs, is of that version, and can make environments: shims and parts of Python in
    some distributions cannot."""
    line = f"import ensurepip, sys, venv; sys.exit(sys.version_info[:2] != (3, {minor}))"
    return subprocess.run([program, "-c", line], stderr=subprocess.DEVNULL).returncode == 0


def others() -> list[str]:
    """The oldest and the newest other Python."""
    found = []
    for minor, programs in candidates().items():
        program = next((program for program in programs if runs(program, minor)), None)
        if program and minor != sys.version_info.minor:
            found.append(program)
    return list(dict.fromkeys([*found[:1], *found[-1:]]))


def probed(python: str) -> bytes:
    return subprocess.run([python, PROBE], stdout=subprocess.PIPE, check=True).stdout


def test_other_interpreters_give_the_same(tmp_path):
    pythons = others()
    if not pythons:
        pytest.skip("no other Python from 3.10 to 3.14 was found on this machine")
    expected = probed(sys.executable)
    assert len(expected) > 100_000
    for index, program in enumerate(pythons):
        environment = tmp_path / str(index)
        subprocess.run([program, "-m", "venv", environment], check=True)
        python = str(environment / "bin" / "python")
        pip = [python, "-m", "pip", "install", "--quiet", "--no-deps", "--no-index"]
        subprocess.run([*pip, required("PROMPTDECK_WHEEL")], check=True)
        assert probed(python) == expected, program
