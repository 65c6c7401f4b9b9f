"""Questions per CPU second: by the number of things in a scene, and by the number of scenes.

    python perf/questions.py            # 5, 10, 20 things; 10, 100, 1,000 scenes
    python perf/questions.py --all      # and 10,000 scenes (some minutes)

Every question comes with its record, margin, evidence and all checks; reading or drawing scenes is not
counted. The figures beside it are those of the engines in use today, measured on the same kind of machine.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from tests.questions.synthetic import random_scene

from fathom.benchmarks.pulsecheck457.construction import recipe
from fathom.build.questions.making import question_blocks

TODAY = {5: 243.0, 10: 343.0}
"""The best engine today at 10 scenes, questions per CPU second; at 20 things it fails."""

SCENES_TODAY = {10: 179.0, 20: 57.0, 40: 24.0, 80: 22.0}


def measured(scenes: int, things: int | None) -> tuple[int, float]:
    """Return how many questions were made of so many scenes, and in how many CPU seconds."""
    drawn = [random_scene("perf", k, things) for k in range(scenes)]
    start = time.process_time()
    made = sum(len(questions) for questions, _ in question_blocks(drawn, recipe("perf")))
    return made, time.process_time() - start


def main() -> None:
    measured(5, 5)
    print("things a scene (60 scenes)   questions   per CPU s   against today's best")
    for things in (5, 10, 20):
        made, seconds = measured(60, things)
        ratio = f"{made / seconds / TODAY[things]:.1f}x" if things in TODAY else "(fails)"
        print(f"{things:>26}   {made:>9}   {made / seconds:>9.0f}   {ratio:>20}")
    print("scenes (3 to 10 things)      questions   per CPU s")
    for scenes in (10, 100, 1000, *((10_000,) if "--all" in sys.argv else ())):
        made, seconds = measured(scenes, None)
        print(f"{scenes:>26}   {made:>9}   {made / seconds:>9.0f}")


if __name__ == "__main__":
    main()
