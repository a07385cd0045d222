"""Prompts on Ray Data: a pool of actors, each with its own model, over batches of Arrow tables."""

import logging
import os

import pyarrow as pa
import ray
from single_process import check, load, render

ROWS = 20_000


class Prompts:
    """An actor that makes prompts and chat texts of seeds."""

    def __init__(self):
        self.model, self.chat = load()

    def __call__(self, batch: pa.Table) -> pa.Table:
        return render(self.model, self.chat, batch["id"])


def run(actor, rows):
    """The table that the actors make of this many seeds, in the order in which they end."""
    # Half a processor each: a pool that takes all of them leaves none for reading the rows.
    pool = ray.data.ActorPoolStrategy(size=2)
    prompts = ray.data.range(rows, override_num_blocks=16).map_batches(
        actor, batch_format="pyarrow", batch_size=2_048, num_cpus=0.5, compute=pool
    )
    return pa.concat_tables(prompts.iter_batches(batch_format="pyarrow", batch_size=None))


def start():
    """A Ray of two processors on this machine, which reports nothing to its makers."""
    os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False, logging_level="error")
    logging.getLogger("ray.data").setLevel(logging.ERROR)
    ray.data.DataContext.get_current().enable_progress_bars = False


if __name__ == "__main__":
    start()
    check("Ray", run(Prompts, ROWS), ROWS)
