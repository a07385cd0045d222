"""`promptdeck.compat.promptlibretto` against the package that it stands in for.

promptlibretto publishes its tests neither in its wheels nor in its source archive; what the archive
of 0.6.0 publishes that can be run are its sample registries and the example of its README.
"""

from __future__ import annotations

import json
import os
import pathlib
import re
import subprocess
import sys
import tarfile

import pytest

from promptdeck.compat import promptlibretto as compat

ARCHIVE = "promptlibretto==0.6.0"

#: Files of the archive that look like tests, by name, with the reason why each cannot be run.
NOT_APPLICABLE: dict[str, str] = {}


@pytest.fixture(scope="session")
def archive(tmp_path_factory) -> dict[str, str]:
    """The text files of the source archive, by their path in it."""
    folder = tmp_path_factory.mktemp("archive")
    kept = os.environ.get("PROMPTDECK_ARCHIVES")
    found = list(pathlib.Path(kept).glob("promptlibretto-0.6.0.tar.gz")) if kept else []
    if not found:
        pip = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--no-binary=:all:"]
        destination = kept or str(folder)
        subprocess.run(
            [*pip, "--no-build-isolation", "--dest", destination, ARCHIVE],
            check=True,
        )
        found = list(pathlib.Path(destination).glob("promptlibretto-0.6.0.tar.gz"))
    files = {}
    with tarfile.open(found[0]) as archive:
        for member in archive.getmembers():
            content = archive.extractfile(member)
            if content is not None and member.name.endswith((".py", ".json", ".md")):
                files[member.name.partition("/")[2]] = content.read().decode()
    return files


def test_the_archive_publishes_no_test_that_is_not_run(archive):
    tests = [path for path in archive if re.search(r"(^|/)(tests?/|test_|conftest)", path)]
    assert set(tests) == set(NOT_APPLICABLE), "run these against the compat module"


def questions_of(archive) -> list[dict]:
    registries = {
        path: json.loads(text)
        for path, text in archive.items()
        if "/examples/" in path or "/builder-examples/" in path
        if path.endswith(".json") and not path.endswith("index.json")
    }
    assert len(registries) >= 3
    questions = []
    for registry in registries.values():
        body = registry.get("registry", registry)
        sections = [name for name, value in body.items() if isinstance(value, dict) and "items" in value]
        for route in [None, "nowhere", *body.get("routes", {})]:
            state: dict = {"selections": {}, "array_modes": {}, "section_random": {}, "slider_random": {}}
            questions.append((body, state, route, sections))
            for name in sections:
                for item in body[name]["items"]:
                    label = item.get("id") or item.get("name")
                    one = label if body[name].get("required", True) else [label]
                    chosen = {**state, "selections": {name: one}}
                    questions.append((body, chosen, route, sections))
    return [
        {"registry": still(body), "state": state, "route": route if route in body.get("routes", {}) else None}
        for body, state, route, _ in questions
    ]


def still(body: dict) -> dict:
    """The registry without what an export bakes in: 0.6.0 reads it only in its studio."""
    baked = {"selected", "section_random", "array_modes", "slider", "slider_random"}
    return {
        name: {key: part for key, part in value.items() if key not in baked}
        if isinstance(value, dict) and "items" in value
        else value
        for name, value in body.items()
    }


def hydrated(question: dict) -> str:
    registry = compat.Registry.from_dict(question["registry"])
    state = compat.HydrateState.from_dict(question["state"])
    return compat.hydrate(registry, state, route=question["route"], seed=0)


def test_its_sample_registries_print_the_same(archive, oracle):
    questions = questions_of(archive)
    assert len(questions) > 30
    lines = [json.dumps(question) for question in questions]
    for question, theirs in zip(questions, oracle("hydrate_oracle.py", lines)):
        assert hydrated(question) == theirs.get("text"), question


def test_the_example_of_its_readme_runs(archive):
    blocks = re.findall(r"```python\n(.*?)```", archive["README.md"], re.DOTALL)
    block = next(block for block in blocks if "Registry.from_dict" in block)
    # The engine around hydrate, which calls a provider, is not part of the surface.
    body = block[block.index("reg = ") : block.index("eng = ")]
    names: dict = {"Registry": compat.Registry}
    exec(body, names)
    state = compat.HydrateState.from_dict({"selections": {"personas": "loud"}})
    text = compat.hydrate(names["reg"], state)
    assert text == "Be brief.\n\nYou're full of energy."


# Their states name much that their registries do not have.
@pytest.mark.filterwarnings("ignore::promptdeck.PromptdeckWarning")
def test_the_cases_of_the_crates_print_the_same(cases, oracle):
    lines = cases("hydrate")[:2_000]
    skipped = 0
    for line, theirs in zip(lines, oracle("hydrate_oracle.py", lines)):
        question = json.loads(line)
        try:
            text = hydrated(question)
        except ValueError:
            # The numbers of its pools that are too large for JSON in Python.
            assert "Infinity" in json.dumps(question["registry"])
            skipped += 1
            continue
        assert text == theirs.get("text"), question
    assert skipped < 0.4 * len(lines)


def test_the_surface():
    registry = compat.Registry.from_dict(
        {"registry": {"title": "T", "rules": {"items": [{"id": "a", "text": "A"}]}, "other": 3}}
    )
    assert list(registry.sections) == ["rules"] and registry.title == "T"
    assert compat.Registry.from_dict(registry.to_dict()) == registry
    assert compat.Registry.from_dict(registry.to_dict(wrap=False)) == registry
    registry.assembly_order = ["rules"]
    registry.routes["twice"] = compat.Route(assembly_order=["rules", "rules"])
    assert compat.hydrate(registry) == "A"
    assert compat.hydrate(registry, route="twice", seed=-(2**80)) == "A\nA"
    assert compat.hydrate(registry, route="nowhere", seed=1) == "A"
    assert compat.HydrateState.from_dict({"selections": None, "extra": 1}) == compat.HydrateState()
