"""Questions per CPU second: by the number of objects in a scene, and by the number of scenes.

    python perf/questions.py            # 5, 10, 20 objects; 10, 100, 1,000 scenes
    python perf/questions.py --all      # and 10,000 scenes (some minutes)
    python perf/questions.py --steps    # 10 objects alone, step by step, the fastest of five times

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
from itertools import pairwise
from pathlib import Path
from statistics import fmean

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from tests.questions.asked import question_blocks
from tests.questions.synthetic import random_scene

from fathom.assets.libraries import open_library
from fathom.benchmarks.pulsecheck457.construction import recipe
from fathom.questions.making import fitted, offer, write
from fathom.questions.selection import select, uncollected
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


def steps(scenes: Sequence[Scene]) -> tuple[int, list[float]]:
    """Return how many questions were made of one block of scenes, and the CPU seconds of offering, choosing
    and writing.
    """
    made = recipe("perf")
    fit = fitted(made, len(scenes), fmean(len(s.objects) for s in scenes))
    with uncollected():
        at = [time.process_time()]
        lots = [offer(s, fit) for s in scenes]
        at.append(time.process_time())
        chosen, _ = select(lots, made.asking, made.seed, 0)
        at.append(time.process_time())
        written = sum(len(write((s, chosen[s.id]), made)[0]) for s in scenes)
        at.append(time.process_time())
    return written, [after - before for before, after in pairwise(at)]


def print_steps(number: int) -> None:
    """Print what each step takes for each scene of 10 objects, at the fastest of five times."""
    scenes = drawn(number, 10)
    times = [steps(scenes) for _ in range(5)]
    made, best = min(times, key=lambda t: sum(t[1]))
    for name, seconds in zip(("offered", "chosen", "written", "all"), (*best, sum(best)), strict=True):
        print(f"{name:>10} {1000 * seconds / number:6.1f} CPU ms a scene", flush=True)
    rates = [made / sum(t) for made, t in times]
    print(f"{made} questions: {min(rates):.0f} to {max(rates):.0f} a CPU s, slowest and fastest of five")


def drawn(number: int, objects: int) -> list[Scene]:
    """Return worlds of the generator with exactly so many objects."""
    library, light = open_library(None), Environment(name="none")
    settings = Scatter(fewest=objects, most=objects)
    return [draw_scene(k, f"perf-{objects}", library, settings, lambda name: light) for k in range(number)]


def main() -> None:
    words = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    words.add_argument("--all", action="store_true", help="10,000 scenes too")
    words.add_argument("--worlds", type=int, default=250, help="worlds for each number of objects")
    words.add_argument("--steps", action="store_true", help="10 objects alone, step by step")
    given = words.parse_args()
    if given.steps:
        print_steps(given.worlds)
        return
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
