"""How often the blind stress test calls a clean set leaky, and how often it finds a planted leak, by size.

    python perf/blind.py [--sets 40] [--questions 112 336] [--leaks]

Clean sets are PulseCheck457's questions on drawn scenes, 28 a scene; `--leaks` takes sets with a leak planted
(see tests/stats/sets.py) instead. A set takes two to four CPU seconds.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from tests.questions.asked import make_questions
from tests.questions.synthetic import random_scene
from tests.stats import sets

from fathom.benchmarks.pulsecheck457.construction import recipe
from fathom.records import Question
from fathom.stats.blind import stress_test

Make = Callable[[int, int], list[Question]]

A_SCENE = 28


def clean(questions: int, seed: int) -> list[Question]:
    """Return what PulseCheck457 asks of as many scenes as have about so many questions."""
    scenes = [random_scene(f"blind-{seed}", k) for k in range(questions // A_SCENE)]
    return make_questions(scenes, recipe(f"blind-{seed}"))[0]


LEAKS: dict[str, Make] = {
    "the rarer answer so far comes next": sets.quotas,
    "the file is sorted by answer": sets.sorted_by_answer,
    "the longest option is right": sets.longest_is_right,
    "the right number has more decimals": sets.precise_is_right,
    "the first answer is right 30 % more often": sets.mostly_first,
}


def called_leaky(make: Make, questions: int, count: int) -> int:
    """Return how many of `count` sets of a kind are called leaky."""
    return sum(not stress_test(make(questions, seed), seed=seed).passed for seed in range(count))


def main() -> None:
    """Print a row for each kind of set and size."""
    words = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    words.add_argument("--sets", type=int, default=40)
    words.add_argument("--questions", type=int, nargs="+", default=[112, 336])
    words.add_argument("--leaks", action="store_true")
    given = words.parse_args()
    kinds = LEAKS if given.leaks else {"clean": clean}
    print(f"{'set':<44}{'questions':>10}{'called leaky':>14}{'CPU s a set':>13}")
    for name, make in kinds.items():
        for questions in given.questions:
            begun = time.process_time()
            found = called_leaky(make, questions, given.sets)
            each = (time.process_time() - begun) / given.sets
            print(f"{name:<44}{questions:>10}{f'{found} of {given.sets}':>14}{each:>13.1f}", flush=True)


if __name__ == "__main__":
    main()
