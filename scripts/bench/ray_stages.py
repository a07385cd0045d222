"""Stages of Ray Data that render chat texts: by the wheel, by transformers, and one that only passes
its rows on. Reads a JSON document of cases from standard input, writes seconds a row to standard
output. All actors import the same packages, so that the differences are those of the rows."""

import json
import logging
import os
import pathlib
import sys
import time

import pyarrow as pa
import ray

ROWS = 20_000
ROUNDS = 3
TOKENS = {"bos_token": "<s>", "eos_token": "</s>"}


class Stage:
    """An actor; imports what all of them do."""

    def __init__(self, source):
        import promptdeck as pd
        from transformers.utils import chat_template_utils

        self.source = source
        self.chat = pd.ChatTemplate.from_source(source, **TOKENS)
        self.render = chat_template_utils.render_jinja_template


class Passing(Stage):
    def __call__(self, batch: pa.Table) -> pa.Table:
        return batch


class Wheel(Stage):
    def __call__(self, batch: pa.Table) -> pa.Table:
        texts = self.chat.render_batch(
            messages_json=batch["messages"], add_generation_prompt=True, threads=1
        )
        return batch.append_column("text", pa.array(texts))


class Transformers(Stage):
    def __call__(self, batch: pa.Table) -> pa.Table:
        texts, _ = self.render(
            conversations=[json.loads(messages) for messages in batch["messages"].to_pylist()],
            tools=None,
            documents=None,
            chat_template=self.source,
            add_generation_prompt=True,
            **TOKENS,
        )
        return batch.append_column("text", pa.array(texts, pa.large_string()))


def run(stage, source, rows):
    """The seconds from the first row to the last, and the table."""
    pool = ray.data.ActorPoolStrategy(size=2)
    began = time.perf_counter()
    result = rows.map_batches(
        stage,
        fn_constructor_args=(source,),
        batch_format="pyarrow",
        batch_size=1_000,
        num_cpus=0.5,
        compute=pool,
    ).materialize()
    return time.perf_counter() - began, result


def fastest(source, rows):
    """For each stage the seconds of its fastest run and a table; the stages take turns, so that none
    has the machine to itself more than the others."""
    best = {}
    for _ in range(ROUNDS):
        for stage in (Passing, Wheel, Transformers):
            seconds, table = run(stage, source, rows)
            best[stage] = (min(seconds, best[stage][0]) if stage in best else seconds, table)
    return [best[stage] for stage in (Passing, Wheel, Transformers)]


def texts(result):
    table = pa.concat_tables(result.iter_batches(batch_format="pyarrow", batch_size=None))
    return table.sort_by("id")["text"].to_pylist()


def main():
    case = json.load(sys.stdin)
    os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False, logging_level="error")
    logging.getLogger("ray.data").setLevel(logging.ERROR)
    context = ray.data.DataContext.get_current()
    context.enable_progress_bars = False
    conversations = []
    for row in range(ROWS):
        messages = [dict(message) for message in case["messages"]]
        messages[-1]["content"] += f" ({row})"
        conversations.append(json.dumps(messages))
    table = pa.table({"id": range(ROWS), "messages": conversations})
    rows = ray.data.from_arrow(table).repartition(8).materialize()
    answer = []
    for path in map(pathlib.Path, case["templates"]):
        source = path.read_text(encoding="utf-8")
        (passing, _), (ours, by_wheel), (theirs, by_transformers) = fastest(source, rows)
        expected = texts(by_transformers)
        assert len(expected) == ROWS and texts(by_wheel) == expected, f"{path.stem}: the texts differ"
        answer.append(
            {
                "name": f"a stage of Ray, 20 turns, {path.stem}",
                "ours": (ours - passing) / ROWS,
                "theirs": (theirs - passing) / ROWS,
                "goal": case["goals"].get(path.stem, 1),
            }
        )
    json.dump({"rows": answer, "passing": passing / ROWS}, sys.stdout)


main()
