"""Prompts on Spark through Spark Connect, with Sail as the server: no Java."""

import sys

import pyarrow as pa
from pysail.spark import SparkConnectServer
from pyspark.sql import SparkSession
from single_process import ROOT, check, load, render

ROWS = 20_000
SCHEMA = "seed long, prompt string, text string"


def prompts(batches):
    """Makes prompts of the record batches of a partition."""
    # Workers do not have the folder of this file on their path.
    sys.path.insert(0, folder)
    model, chat = load()
    for batch in batches:
        table = render(model, chat, batch.column("id"))
        yield from table.cast(ARROW_SCHEMA).to_batches()


folder = str(ROOT / "examples")
ARROW_SCHEMA = pa.schema([("seed", pa.int64()), ("prompt", pa.string()), ("text", pa.string())])

if __name__ == "__main__":
    server = SparkConnectServer()
    server.start()
    _, port = server.listening_address
    spark = SparkSession.builder.remote(f"sc://localhost:{port}").getOrCreate()
    table = spark.range(0, ROWS, 1, 4).mapInArrow(prompts, SCHEMA).toArrow()
    check("Spark", table, ROWS)
    spark.stop()
    server.stop()
