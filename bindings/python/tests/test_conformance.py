"""The wheel against promptlibretto, `re` and jinja2: byte for byte, on the cases of the crates."""

from __future__ import annotations

import datetime
import json

import promptdeck as pd
import pytest

NOW = datetime.datetime(2024, 7, 26, 9, 5, 3)


def registry_of(line: str) -> str:
    """The registry of a case with its numbers as they are spelled."""
    start = len('{"registry":')
    _, end = json.JSONDecoder().raw_decode(line, start)
    return line[start:end]


# Many states of the cases name what is not there.
@pytest.mark.filterwarnings("ignore::promptdeck.PromptdeckWarning")
def test_prompts_are_those_of_promptlibretto(cases, oracle):
    lines = cases("hydrate")
    assert len(lines) == 8_000
    filled = 0
    for line, theirs in zip(lines, oracle("hydrate_oracle.py", lines)):
        question = json.loads(line)
        model = pd.Model.from_json(registry_of(line))
        state, route = question["state"], question["route"]
        text = model.hydrate(state, route=route, seed=0)
        assert text == theirs["text"], question
        column = model.hydrate_batch(states=[json.dumps(state)], seeds=[0], route=route)
        assert column.to_pylist() == [text], question
        assert model.explain(pd.State(state), route=route, seed=0)["text"] == text
        filled += bool(text)
    assert filled > 0.6 * len(lines)


def gist(message: str) -> str:
    """A message without the pattern it quotes: Python truncates escapes there."""
    return message.split("\\")[0]


def test_policies_act_as_in_promptlibretto(cases, oracle):
    lines = cases("policy")
    assert len(lines) == 6_000
    questions = [json.loads(line) for line in lines]
    compared = refused = limited = 0
    for question, theirs in zip(questions, oracle("policy_oracle.py", lines)):
        if "gave_up" in theirs:
            continue
        try:
            verdict = pd.Policy(question["policy"]).apply(question["text"])
        except pd.PolicyError as error:
            if error.code == "search_limit":
                limited += 1
                continue
            assert "refused" in theirs, (question, str(error))
            refused += 1
            continue
        found = (verdict.text, verdict.accepted, verdict.reason)
        assert found == (theirs["text"], theirs["accepted"], theirs["reason"]), question
        compared += 1
    assert compared > 0.8 * len(questions) and refused > 100
    assert limited * 1000 <= len(questions)


def test_chats_are_those_of_transformers(cases, oracle):
    lines = cases("chat")
    questions = [json.loads(line) for line in lines]
    assert len(questions) >= 80 * 20
    templates: dict[tuple[str, str | None, str | None], pd.ChatTemplate] = {}
    rendered = 0
    for question, theirs in zip(questions, oracle("chat_oracle.py", lines)):
        tokens = question.get("bos_token"), question.get("eos_token")
        key = (question["template"], *tokens)
        if key not in templates:
            templates[key] = pd.ChatTemplate.from_source(
                question["template"], bos_token=tokens[0], eos_token=tokens[1]
            )
        chat = templates[key]
        arguments = {
            "tools": question.get("tools"),
            "add_generation_prompt": bool(question.get("add_generation_prompt")),
            "now": NOW,
            **(question.get("extra") or {}),
        }
        continued = question.get("continue_final_message")
        try:
            text = chat.apply_chat_template(
                question["messages"], continue_final_message=continued, **arguments
            )
        except pd.ChatError as error:
            assert not theirs["ok"], (question, str(error))
            raised = theirs["error"] == "TemplateError"
            assert (error.code == "template_raised") == raised
            if raised:
                assert str(error).startswith(theirs["message"])
            continue
        assert theirs.get("output") == text, question
        rendered += 1
        if not continued:
            column = chat.render_batch(
                messages_json=[json.dumps(question["messages"])], threads=1, **arguments
            )
            assert column[0] == text
    assert rendered > 0.5 * len(questions)


@pytest.mark.parametrize("name", ["trivia_host", "night_stream", "support_desk", "noir_roller"])
def test_batches_are_the_single_calls(registries, name):
    model = pd.load(registries / f"{name}.json")
    expected = [model.hydrate(seed=seed) for seed in range(3_000)]
    assert len(set(expected)) > 1 or name == "support_desk"
    for threads in (1, 2, 5):
        column = model.hydrate_batch(seeds=range(3_000), threads=threads)
        assert column.to_pylist() == expected
