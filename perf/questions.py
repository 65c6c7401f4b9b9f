"""Questions per CPU second: by the number of objects in a scene, and by the number of scenes.

    python perf/questions.py            # 5, 10, 20 objects; 10, 100, 1,000 scenes
    python perf/questions.py --all      # and 10,000 scenes (some minutes)

Worlds of 5 and 10 objects come from the generator, with what their truth pass saw; the others are made up,
which costs nothing. Every question comes with its record, margin, evidence and checks; drawing and reading
scenes is not counted. The figures beside it are those of the engines in use today, measured on the same kind
of machine.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from tests.questions.asked import question_blocks
from tests.questions.synthetic import random_scene

from fathom.assets.libraries import open_library
from fathom.benchmarks.pulsecheck457.construction import recipe
from fathom.records import Environment, Scene
from fathom.scenes.scatter import draw_scene
from fathom.scenes.scatter_settings import Scatter

TODAY = {5: 243.0, 10: 343.0}
"""The best engine today at 10 scenes, questions per CPU second; at 20 objects it fails."""


def measured(scenes: Sequence[Scene]) -> tuple[int, float]:
    """Return how many questions were made of the scenes, and in how many CPU seconds."""
    start = time.process_time()
    made = sum(len(questions) for questions, _ in question_blocks(scenes, recipe("perf")))
    return made, time.process_time() - start


def drawn(number: int, objects: int) -> list[Scene]:
    """Return worlds of the generator with exactly so many objects."""
    library, light = open_library(None), Environment(name="none")
    settings = Scatter(fewest=objects, most=objects)
    return [draw_scene(k, f"perf-{objects}", library, settings, lambda name: light) for k in range(number)]


def main() -> None:
    words = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    words.add_argument("--all", action="store_true", help="10,000 scenes too")
    words.add_argument("--worlds", type=int, default=250, help="worlds for each number of objects")
    given = words.parse_args()
    measured([random_scene("perf", k, 5) for k in range(5)])
    print(f"objects a scene ({given.worlds} worlds)   questions   per CPU s   against today's best")
    for objects in (5, 10, 20):
        crowded = objects == 20
        made, seconds = measured(
            [random_scene("perf", k, 20) for k in range(given.worlds)]
            if crowded
            else drawn(given.worlds, objects)
        )
        ratio = f"{made / seconds / TODAY[objects]:.1f}x" if objects in TODAY else "(fails)"
        print(f"{objects:>27}   {made:>9}   {made / seconds:>9.0f}   {ratio:>20}", flush=True)
    print("scenes (3 to 10 objects)      questions   per CPU s")
    for scenes in (10, 100, 1000, *((10_000,) if given.all else ())):
        made, seconds = measured([random_scene("perf", k, None) for k in range(scenes)])
        print(f"{scenes:>27}   {made:>9}   {made / seconds:>9.0f}", flush=True)


if __name__ == "__main__":
    main()
