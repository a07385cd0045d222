"""100,000 rows on Ray while one of its workers is killed: the rows are those of one process."""

import os
import pathlib
import signal
import tempfile

from ray_prompts import Prompts, run, start
from single_process import check

ROWS = 100_000


class Killed(Prompts):
    """The actor, of which one kills its own process at its third batch."""

    marker = ""

    def __init__(self):
        super().__init__()
        self.batches = 0

    def __call__(self, batch):
        self.batches += 1
        if self.batches == 3:
            try:
                os.close(os.open(self.marker, os.O_CREAT | os.O_EXCL))
            except FileExistsError:
                pass
            else:
                os.kill(os.getpid(), signal.SIGKILL)
        return super().__call__(batch)


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        Killed.marker = os.path.join(folder, "killed")
        start()
        table = run(Killed, ROWS)
        assert pathlib.Path(Killed.marker).exists(), "no worker was killed"
        check("Ray with a killed worker", table, ROWS)
