"""The examples of the README run, in order and without a warning."""

from __future__ import annotations

import pathlib
import re
import warnings


def test_the_examples_of_the_readme():
    text = (pathlib.Path(__file__).parents[1] / "README.md").read_text(encoding="utf-8")
    blocks = re.findall(r"^```python\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    assert len(blocks) >= 5
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        exec("\n".join(blocks), {})
