"""Prompts into a Parquet file, by one side: the program of a process. Reads the registry and a state
from standard input, writes times in seconds and the peak memory in kilobytes to standard output.

`rolled` takes a thousand seeds of each state, none of which has a roll: the two packages roll
differently. `stored` takes one state a row from a Parquet file."""

import time

BEGAN = time.perf_counter()

import json  # noqa: E402
import resource  # noqa: E402
import sys  # noqa: E402

import pyarrow as pa  # noqa: E402
import pyarrow.parquet as pq  # noqa: E402

BATCH = 20_000
ROLLS = 1_000
PROMPTS = pa.schema([("prompt", pa.large_string())])


def state_of(case, number):
    """Every number is a state of its own: another place, another slider."""
    variables = {**case["state"]["template_vars"], "base_context::location": f"room {number}"}
    sliders = {"sentiment": number % 10}
    return {**case["state"], "template_vars": variables, "sliders": sliders}


def write_states(case, path, rows):
    with pq.ParquetWriter(path, pa.schema([("state", pa.string())]), use_dictionary=False) as writer:
        for start in range(0, rows, BATCH):
            numbers = range(start, min(rows, start + BATCH))
            states = [json.dumps(state_of(case, number)) for number in numbers]
            writer.write(pa.record_batch([pa.array(states)], ["state"]))


def batches_of_states(path, rows):
    for batch in pq.ParquetFile(path).iter_batches(BATCH):
        yield batch.column("state").slice(0, rows)
        rows -= len(batch)
        if rows <= 0:
            return


class Promptdeck:
    def __init__(self, case):
        import promptdeck as pd

        self.case, self.model = case, pd.Model.from_dict(case["registry"])

    def rolled(self, number):
        state = state_of(self.case, number)
        return pa.array(self.model.hydrate_batch(states=state, seeds=range(ROLLS)))

    def stored(self, states):
        return pa.array(self.model.hydrate_batch(states=states, seeds=range(len(states))))


class Promptlibretto:
    def __init__(self, case):
        import promptlibretto

        self.case, self.hydrate = case, promptlibretto.hydrate
        self.registry = promptlibretto.Registry.from_dict(case["registry"])
        self.read = promptlibretto.HydrateState.from_dict

    def rolled(self, number):
        state = self.read(state_of(self.case, number))
        texts = [self.hydrate(self.registry, state, seed=seed) for seed in range(ROLLS)]
        return pa.array(texts, pa.large_string())

    def stored(self, states):
        texts = []
        for seed, text in enumerate(states.to_pylist()):
            texts.append(self.hydrate(self.registry, self.read(json.loads(text)), seed=seed))
        return pa.array(texts, pa.large_string())


def timed(side, kind, case, states, prompts, rows):
    """Renders and writes so many rows."""
    engine = {"promptdeck": Promptdeck, "promptlibretto": Promptlibretto}[side](case)
    loaded = time.perf_counter()
    parts = range(rows // ROLLS) if kind == "rolled" else batches_of_states(states, rows)
    with pq.ParquetWriter(prompts, PROMPTS) as writer:
        waiting = []
        for part in parts:
            waiting.append(getattr(engine, kind)(part))
            if sum(map(len, waiting)) >= BATCH:
                writer.write_table(pa.table([pa.chunked_array(waiting)], schema=PROMPTS))
                waiting.clear()
        if waiting:
            writer.write_table(pa.table([pa.chunked_array(waiting)], schema=PROMPTS))
    ended = time.perf_counter()
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return {"start": loaded - BEGAN, "rows": ended - loaded, "peak": peak}


def compared(ours, theirs, rows):
    """The first rows of both files, byte for byte."""
    ours, theirs = (next(pq.ParquetFile(path).iter_batches(rows)) for path in (ours, theirs))
    assert len(theirs) == rows and ours.equals(theirs), "the prompts differ"
    return {"equal": rows, "different": len(theirs.column(0).unique())}


def main():
    what, *arguments = sys.argv[1:]
    case = json.load(sys.stdin)
    if what == "states":
        answer = write_states(case, arguments[0], int(arguments[1]))
    elif what == "compare":
        answer = compared(*arguments[:2], int(arguments[2]))
    else:
        kind, states, prompts, rows = arguments
        answer = timed(what, kind, case, states, prompts, int(rows))
    json.dump(answer, sys.stdout)


main()
