"""What a type checker makes of the package: pyright reads this file, and it runs."""

from __future__ import annotations

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
    assert_type(MODEL.policy.apply("a").reason, "str | None")
    assert_type(CHAT.apply_chat_template(messages), str)
    assert_type(CHAT.apply_chat_template([messages, messages]), "list[str]")
    assert_type(CHAT.render_batch(messages_json=["[]"]), pd.TextColumn)
