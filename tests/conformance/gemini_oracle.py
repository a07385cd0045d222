"""Answers JSON lines with JSON lines: what Google's own types make of a request body.

A line in is {"body"}, the body of `generateContent`; a line out is {"same", "body", "signatures"}:
whether every part of it comes back unchanged, how it comes back, and the bytes of its thought
signatures in hex. A line {"fields": true} is answered with the names of the generation settings:
{"config"}, those of GenerationConfig, and {"request"}, those of a whole request. Nothing is decided here beyond calling the package.
"""

import json
import sys

from google.genai import types


def through(model, value):
    return model.model_validate(value).model_dump(mode="json", by_alias=True, exclude_none=True)


def answer(body):
    back = {}
    for key, value in body.items():
        if key == "contents":
            back[key] = [through(types.Content, content) for content in value]
        elif key == "tools":
            back[key] = [through(types.Tool, tool) for tool in value]
        elif key == "systemInstruction":
            back[key] = through(types.Content, value)
        elif key == "generationConfig":
            back[key] = through(types.GenerationConfig, value)
        elif key == "cachedContent":
            back[key] = types.GenerateContentConfig(cached_content=value).cached_content
    signatures = [
        part.thought_signature.hex()
        for content in body["contents"]
        for part in types.Content.model_validate(content).parts
        if part.thought_signature is not None
    ]
    return {"same": back == body, "body": back, "signatures": signatures}


def fields():
    def names(model):
        return sorted(field.alias or name for name, field in model.model_fields.items())

    return {
        "config": names(types.GenerationConfig),
        "request": names(types.GenerateContentConfig),
    }


for line in sys.stdin:
    question = json.loads(line)
    given = fields() if question.get("fields") else answer(question["body"])
    print(json.dumps(given), flush=True)
