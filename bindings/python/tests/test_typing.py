"""What a type checker makes of the package: pyright reads this file, and it runs."""

from __future__ import annotations

from collections.abc import Iterable
from types import MappingProxyType

import numpy as np
import promptdeck as pd
from typing_extensions import assert_type

MODEL = pd.Model.from_json('{"rules": {"items": [{"id": "a", "text": "A"}]}, "assembly_order": ["rules"]}')
CHAT = pd.ChatTemplate.from_source("{{ messages | length }}")


def test_types() -> None:
    messages = [{"role": "user", "content": "Hi"}]
    assert_type(MODEL.hydrate({"selections": {"rules": "a"}}, seed=1), str)
    assert_type(MODEL.explain()["text"], str)
    assert_type(MODEL.check()[0]["code"] if MODEL.check() else "", str)
    assert_type(MODEL.hydrate_batch(seeds=range(2)), pd.TextColumn)
    assert_type(MODEL.hydrate_batch(seeds=[1], on_error="column"), pd.ResultBatch)
    diagnostics: list[pd.Diagnostic] = MODEL.check()
    hydration: pd.Hydration = MODEL.explain(seed=np.int64(3))
    assert diagnostics == hydration["diagnostics"] == []
    texts: Iterable[str | None] = MODEL.hydrate_batch(states=MappingProxyType({}), seeds=[np.int64(1), 2])
    assert_type([text for text in MODEL.hydrate_batch(seeds=range(2))], "list[str | None]")
    assert list(texts) == [MODEL.hydrate(seed=1), MODEL.hydrate(seed=2)]
    errors: list[pd.RowError] = MODEL.hydrate_batch(seeds=[1], on_error="column").errors
    assert errors == []
    assert_type(pd.Model.from_dict(MappingProxyType({"rules": {"items": []}})), pd.Model)
    assert_type(pd.Policy(MappingProxyType({"max_length": 1})), pd.Policy)
    assert_type(MODEL.policy.apply("a").reason, "str | None")
    assert_type(CHAT.apply_chat_template(messages), str)
    assert_type(CHAT.apply_chat_template([messages, messages]), "list[str]")
    assert_type(CHAT.render_batch(messages_json=["[]"]), pd.TextColumn)
