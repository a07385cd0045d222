"""The examples of the README run, in order."""

from __future__ import annotations

import pathlib
import re


def test_the_examples_of_the_readme():
    text = (pathlib.Path(__file__).parents[1] / "README.md").read_text(encoding="utf-8")
    blocks = re.findall(r"^```python\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    assert len(blocks) >= 5
    exec("\n".join(blocks), {})
