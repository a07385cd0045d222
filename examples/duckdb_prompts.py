"""Prompts in DuckDB: a column of seeds goes to the model and comes back as a relation."""

import duckdb
from single_process import check, load, render

ROWS = 20_000

model, chat = load()
connection = duckdb.connect()
seeds = connection.sql(f"SELECT range AS seed FROM range({ROWS})").to_arrow_table()
prompts = render(model, chat, seeds["seed"])
connection.sql("CREATE TABLE prompts AS SELECT * FROM prompts")
check("DuckDB", connection.sql("SELECT * FROM prompts").to_arrow_table(), ROWS)
