"""Prompts in Polars: batches of a frame go to the model and come back as columns."""

import polars as pl
from single_process import check, load, render

ROWS = 20_000

model, chat = load()
seeds = pl.DataFrame({"seed": range(ROWS)})
batches = [render(model, chat, batch["seed"].to_arrow()) for batch in seeds.iter_slices(8_192)]
prompts = pl.concat([pl.from_arrow(batch) for batch in batches])
check("Polars", prompts.to_arrow(), ROWS)
