"""The arguments of `apply_chat_template` of transformers: none is ignored."""

from __future__ import annotations

import json
from typing import Any

import promptdeck as pd
import pyarrow as pa
import pytest

SOURCE = (
    "{% for m in messages %}<{{ m.role }}>{{ m.content }}<end>{% endfor %}"
    "{% if continue_final_message %}VAR{% endif %}{% if add_generation_prompt %}<assistant>{% endif %}"
)
CHAT = pd.ChatTemplate.from_source(SOURCE)
MESSAGES = [{"role": "user", "content": "Hi"}, {"role": "assistant", "content": "Well"}]


def both(**arguments: Any) -> str | None:
    """The text of a conversation, which is the same in a batch."""
    single = CHAT.apply_chat_template(MESSAGES, **arguments)
    column = CHAT.render_batch(messages=pa.array([MESSAGES]), **arguments)
    rows = CHAT.render_batch(messages_json=[json.dumps(MESSAGES)], **arguments)
    assert [single] == column.to_pylist() == rows.to_pylist()
    return single


def test_the_final_message_is_continued_in_batches_too():
    assert both(continue_final_message=True) == "<user>Hi<end><assistant>Well"
    assert both(continue_final_message="content") == "<user>Hi<end><assistant>Well"
    assert both(continue_final_message=False) == both() == "<user>Hi<end><assistant>Well<end>"
    for call in (
        lambda: CHAT.apply_chat_template(MESSAGES, continue_final_message=True, add_generation_prompt=True),
        lambda: CHAT.render_batch(
            messages_json=[json.dumps(MESSAGES)], continue_final_message=True, add_generation_prompt=True
        ),
    ):
        with pytest.raises(pd.ChatError) as raised:
            call()
        assert raised.value.code == "cannot_continue"


@pytest.mark.parametrize(
    ("arguments", "code", "says"),
    [
        ({"chat_template": "OTHER"}, "wrong_argument", "ChatTemplate.from_source"),
        ({"tokenize": True}, "wrong_argument", "give it to the tokenizer"),
        ({"return_tensors": "pt"}, "wrong_argument", "give it to the tokenizer"),
        ({"return_dict": True}, "wrong_argument", "return_dict"),
        ({"padding": True}, "wrong_argument", "padding"),
        ({"truncation": True}, "wrong_argument", "truncation"),
        ({"max_length": 8}, "wrong_argument", "max_length"),
        ({"return_assistant_tokens_mask": True}, "wrong_argument", "return_assistant"),
        ({"tokenizer_kwargs": {"a": 1}}, "wrong_argument", "tokenizer_kwargs"),
        ({"add_generation_promt": True}, "unknown_argument", 'did you mean "add_generation_prompt"'),
        ({"tool": []}, "unknown_argument", 'did you mean "tools"'),
        ({"tools": ["x"]}, "wrong_type", "/tools/0: expected a dictionary, found a text"),
        ({"tools": [print]}, "wrong_type", "/tools/0"),
        ({"documents": [7]}, "wrong_type", "/documents/0: expected a dictionary"),
    ],
)
def test_what_would_be_ignored_is_refused(arguments, code, says):
    for call in (
        lambda: CHAT.apply_chat_template(MESSAGES, **arguments),
        lambda: CHAT.render_batch(messages_json=["[]"], **arguments),
    ):
        with pytest.raises(pd.ChatError) as raised:
            call()
        assert raised.value.code == code and says in str(raised.value)


def test_what_asks_for_nothing_is_taken():
    nothing = {
        "chat_template": None,
        "tokenize": False,
        "return_tensors": None,
        "return_dict": False,
        "padding": False,
        "truncation": False,
        "max_length": None,
        "tokenizer_kwargs": None,
        "tools": None,
    }
    assert both(**nothing) == both()
    with pytest.raises(pd.ChatError) as raised:
        CHAT.apply_chat_template([], messages=MESSAGES)
    assert raised.value.code == "unknown_argument"


def test_a_variable_that_is_nearly_one_of_the_template_is_a_warning():
    chat = pd.ChatTemplate.from_source("{{ persona | default('') }}{{ thinking | default('') }}")
    for given, meant in [("persna", "persona"), ("enable_thinking", "thinking")]:
        variables: dict[str, Any] = {given: "x"}
        expected = f'reads no variable "{given}"; did you mean "{meant}"'
        with pytest.warns(pd.PromptdeckWarning, match=expected) as caught:
            assert chat.apply_chat_template([], **variables) == ""
            assert chat.render_batch(messages_json=["[]"], **variables)
        codes = [getattr(warning.message, "code", None) for warning in caught]
        assert codes == ["unread_variable"] * 2


def test_variables_of_the_template_pass():
    assert both(enable_thinking=True, date_string="today", custom=[1]) == both()
    near = pd.ChatTemplate.from_source("{{ tool }}{{ padding_text }}")
    assert near.apply_chat_template([], tool="a", padding_text="b") == "ab"
