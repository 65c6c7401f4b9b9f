"""A process that starts runs in processes of their own, so that a test can kill them one by one.

    python -m tests.inference.starter DATASET URL OUT CONCURRENCY

For each line on standard input it forks (everything is imported by then, so that a start takes
milliseconds) and prints the new process's id. Where the line is a number, it kills the process after so many
seconds. Then it waits for the end and prints how the process ended: the exit status, or minus the signal.
Each start has a key of its own, by which the server can tell them apart.
"""

from __future__ import annotations

import os
import signal
import sys
import time
from pathlib import Path

import fathom.inference.models.openai  # noqa: F401  (imported once, before the forks)
from fathom.inference.start import run_plan
from fathom.records import FathomError
from fathom.store.datasets import open_dataset
from tests.inference.folders import plan


def main() -> None:
    """Serve until standard input ends."""
    # A shell that started the tests in the background may have had SIGINT ignored.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    folder, url, out, concurrency = sys.argv[1:5]
    for number, line in enumerate(sys.stdin):
        child = os.fork()
        if not child:
            try:
                run = plan(
                    open_dataset(Path(folder)),
                    f"openai:m@{url}",
                    Path(out),
                    concurrency=int(concurrency),
                    environ={"OPENAI_API_KEY": f"start-{number}"},
                )
                os._exit(0 if run_plan(run).complete else 3)
            except FathomError as e:
                print(e, file=sys.stderr, flush=True)
                os._exit(2)
            except KeyboardInterrupt:
                os._exit(130)
            except BaseException as e:
                print(repr(e), file=sys.stderr, flush=True)
                os._exit(1)
        print(child, flush=True)
        if line.strip():
            time.sleep(float(line))
            os.kill(child, signal.SIGKILL)  # nothing happens where it has ended: it waits to be asked how
        print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)


if __name__ == "__main__":
    main()
