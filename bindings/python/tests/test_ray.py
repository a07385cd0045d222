"""The wheel on a real Ray of two processors."""

from __future__ import annotations

import subprocess

from conftest import ROOT, required


def test_100_000_rows_with_a_killed_worker_are_those_of_one_process():
    """Hydration and Qwen3's template in actors, of which one is killed; the example compares every
    row, whatever the order in which the shards end."""
    run = subprocess.run(
        [required("PROMPTDECK_RAY_PYTHON"), ROOT / "examples" / "ray_worker_killed.py"],
        stdout=subprocess.PIPE,
        text=True,
        timeout=600,
    )
    assert run.returncode == 0, run.stdout
    assert "100000 rows" in run.stdout and "equal to one process" in run.stdout, run.stdout
