"""Signals, forks, threads and the interpreter's lock."""

from __future__ import annotations

import multiprocessing
import os
import signal
import subprocess
import sys
import threading
import time

import promptdeck as pd
import pytest


@pytest.fixture(scope="module")
def model(registries):
    return pd.load(registries / "noir_roller.json")


INTERRUPTED = """
import sys, promptdeck as pd
model = pd.load(sys.argv[1])
chat = pd.ChatTemplate.from_source("{% for i in range(100) %}{{ messages[0].content }}{% endfor %}")
conversations = ['[{"role": "user", "content": "Hi"}]'] * 1_000_000
threads = int(sys.argv[2])
batches = {
    "prompts": lambda: model.hydrate_batch(seeds=range(1_000_000), threads=threads),
    "texts": lambda: chat.render_batch(messages_json=conversations, threads=threads),
}
try:
    print("ready", flush=True)
    while True:
        batches[sys.argv[3]]()
except KeyboardInterrupt:
    print("interrupted", model.hydrate(seed=1) == model.hydrate_batch(seeds=[1])[0], flush=True)
"""


@pytest.mark.parametrize("threads", ["1", "2"])
@pytest.mark.parametrize("batch", ["prompts", "texts"])
def test_an_interrupt_ends_a_batch_of_a_million(registries, threads, batch):
    registry = str(registries / "noir_roller.json")
    arguments = [sys.executable, "-c", INTERRUPTED, registry, threads, batch]
    with subprocess.Popen(arguments, stdout=subprocess.PIPE, text=True) as child:
        assert child.stdout is not None
        assert child.stdout.readline() == "ready\n"
        time.sleep(0.5)
        child.send_signal(signal.SIGINT)
        began = time.monotonic()
        assert child.stdout.readline() == "interrupted True\n"
        assert time.monotonic() - began < 2
    assert child.returncode == 0


def in_worker(model: pd.Model) -> str:
    column = model.hydrate_batch(seeds=range(2_000))
    return "".join(text or "" for text in column)


@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_workers_of_multiprocessing(model, method):
    expected = in_worker(model)
    with multiprocessing.get_context(method).Pool(2) as pool:
        assert pool.map(in_worker, [model] * 4) == [expected] * 4


def test_a_forked_process_hydrates(model):
    expected = model.hydrate_batch(seeds=range(2_000), threads=2)[1_999]
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        os.write(writer, (model.hydrate_batch(seeds=range(2_000))[1_999] or "").encode())
        os._exit(0)
    os.close(writer)
    with os.fdopen(reader, "rb") as pipe:
        assert pipe.read().decode() == expected
    assert os.waitpid(child, 0)[1] == 0


def test_the_lock_of_the_interpreter_is_free_during_a_batch(model):
    turns = 0
    done = threading.Event()

    def count() -> None:
        nonlocal turns
        while not done.is_set():
            turns += 1
            time.sleep(0.001)

    counter = threading.Thread(target=count)
    counter.start()
    model.hydrate_batch(seeds=range(100_000), threads=1)
    done.set()
    counter.join()
    assert turns > 20


def test_the_number_of_threads(model, monkeypatch):
    expected = model.hydrate_batch(seeds=range(50), threads=3).to_pylist()
    for name in ("OMP_NUM_THREADS", "PROMPTDECK_THREADS"):
        monkeypatch.setenv(name, "1")
        assert model.hydrate_batch(seeds=range(50)).to_pylist() == expected
