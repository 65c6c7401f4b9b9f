"""Kills a run at 200 random moments and checks each time that nothing is lost and nothing done twice.

    python perf/kills.py [--kills 200] [--questions 400] [--seed 0]

A request whose answer had not come back when its process was killed may be sent again: nobody can know
whether it was answered. One whose answer is in the journal never is.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from tests.inference.killing import kill_runs


def main() -> None:
    """Kill, check and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--questions", type=int, default=400)
    parser.add_argument("--concurrency", type=int, default=8)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    begun = time.monotonic()
    with tempfile.TemporaryDirectory() as work:
        outcome = kill_runs(
            Path(work), options.kills, options.questions, options.concurrency, seed=options.seed
        )
    needed = outcome.finished * outcome.questions
    print(
        f"{outcome.kills} kills in {time.monotonic() - begun:.0f} s over {outcome.finished} runs of "
        f"{outcome.questions} questions: nothing lost, nothing answered asked again, "
        f"{outcome.torn} half-written lines moved aside\n"
        f"{outcome.sent} requests for {needed} answers: {outcome.sent - needed} were in flight at a kill "
        f"(at most {outcome.kills * outcome.concurrency} could be)"
    )


if __name__ == "__main__":
    main()
