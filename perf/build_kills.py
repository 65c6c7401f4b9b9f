"""Kill builds at random moments, many times, and check that nothing is lost and nothing is done twice.

python perf/build_kills.py --kills 200 --scenes 8 --renderer none
python perf/build_kills.py --kills 50 --scenes 4 --renderer mitsuba
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from tests.datasets.killing import Order, kill_builds


def main() -> None:
    words = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    words.add_argument("--kills", type=int, default=200)
    words.add_argument("--scenes", type=int, default=8)
    words.add_argument("--workers", type=int, default=2)
    words.add_argument("--renderer", default="none")
    words.add_argument("--seed", type=int, default=0)
    given = words.parse_args()
    order = Order(given.scenes, given.workers, given.renderer)
    begun = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        outcome = kill_builds(Path(folder), given.kills, order, given.seed)
    seconds = time.monotonic() - begun
    print(
        f"{outcome.kills} kills in {outcome.starts} starts, {outcome.finished} builds finished, each "
        f"the same as one that was never stopped; nothing lost, nothing done twice; {seconds:.0f} s"
    )
    for doing, count in outcome.at.most_common():
        print(f"  {count:4d} {doing}")


if __name__ == "__main__":
    main()
