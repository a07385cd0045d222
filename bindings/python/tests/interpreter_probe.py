"""What the package gives in an interpreter, as JSON on standard output. Run by `test_interpreters.py`
in several; takes no package but `promptdeck`."""

import json
import pathlib
import pickle
import re
import sys
import threading

import promptdeck as pd

ROOT = pathlib.Path(__file__).parents[3]


def main() -> None:
    readme = (ROOT / "bindings" / "python" / "README.md").read_text(encoding="utf-8")
    exec("\n".join(re.findall(r"^```python\n(.*?)^```", readme, re.MULTILINE | re.DOTALL)), {})
    texts: list[object] = []
    for path in sorted((ROOT / "registries").glob("*.json")):
        if path.name.endswith((".checks.json", ".schema.json")):
            continue
        model = pickle.loads(pickle.dumps(pd.load(path)))
        texts.append(model.hydrate_batch(seeds=range(200), threads=2).to_pylist())
        texts.append(model.explain(seed=5)["evaluation"])
    messages = [{"role": "user", "content": f"{'ä' * row}\U0001f600"} for row in range(5)]
    for path in sorted((ROOT / "tests" / "chat-templates").glob("*.jinja")):
        chat = pd.ChatTemplate.from_source(path.read_text(encoding="utf-8"), bos_token="<s>")
        for row in messages:
            texts.append(chat.apply_chat_template([row], add_generation_prompt=True))
        column = [json.dumps([row]) for row in messages]
        texts.append(chat.render_batch(messages_json=column, add_generation_prompt=True).to_pylist())
    try:
        pd.Model.from_json('{"rules": {"items": 3}}')
    except pd.RegistryError as error:
        texts.append([error.code, error.line, error.pointer, str(error)])
    model = pd.load(ROOT / "registries" / "noir_roller.json")
    threads = [threading.Thread(target=model.hydrate, kwargs={"seed": seed}) for seed in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    json.dump(texts, sys.stdout)


main()
