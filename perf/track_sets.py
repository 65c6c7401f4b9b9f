"""Sets of questions on videos with exact tracks, without truth or pictures, for attacks: many in minutes.

    python perf/track_sets.py --videos 66 --sets 10 --out sets
    python perf/track_sets.py --videos 66 --sets 40 --choices 4 --tasks pose_estimation,trajectory_description
    python perf/track_attacks.py sets/*.jsonl --draws 0

Each set has worlds of its own, a third of each scale. What the frames show is made up from boxes. A set of 66
takes about 25 CPU s, one of 300 two minutes; of some tasks alone two thirds of that. --choices asks about the
same videos several times, with options of their own each time: cheap, where a rate is to be known to a point.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import msgspec

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from tests.tracks_questions.worlds import projected

from fathom.benchmarks.stibench.construction import questions as recipe_for
from fathom.questions.balancing.video import chosen
from fathom.questions.mix import wanted_of
from fathom.questions.sampling.video import drafted
from fathom.questions.writing.video import written
from fathom.records import Question, Scene, UnfitError
from fathom.scenes.videos.scales import SCALES


def worlds(seed: str, each: int) -> Iterator[Scene]:
    """Yield so many worlds of each scale; those that cannot be drawn are left out."""
    for scale in SCALES.values():
        for k in range(each):
            try:
                yield scale.draw(k, seed, scale.settings, None)
            except UnfitError:
                continue


def asked(seed: str, videos: int, choices: int, tasks: Sequence[str]) -> Iterator[list[Question]]:
    """Yield the questions of a set of videos, as often as they are to be chosen; of all tasks, or of some."""
    recipe = recipe_for(seed)
    if tasks:
        recipe = replace(recipe, forms=tuple(f for f in recipe.forms if f.task in tasks))
    scenes = list(worlds(seed, videos // len(SCALES)))
    drafts = [d for scene in scenes for d in drafted(scene, projected(scene), recipe)]
    wanted = {c: n for c, n in wanted_of(recipe.mix, scenes).items() if not tasks or c[0] in tasks}
    for k in range(choices):
        own = replace(recipe, seed=f"{seed} {k}") if k else recipe
        yield written(chosen(drafts, wanted, own).selected, own)


def main() -> None:
    words = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    words.add_argument("--videos", type=int, default=66, help="how many videos a set has")
    words.add_argument("--sets", type=int, default=1)
    words.add_argument("--first", type=int, default=0, help="the number of the first set")
    words.add_argument("--choices", type=int, default=1, help="how often a set's questions are chosen")
    words.add_argument("--tasks", default="", help="the tasks that are asked, with commas between; all")
    words.add_argument("--out", type=Path, default=Path("sets"))
    given = words.parse_args()
    given.out.mkdir(parents=True, exist_ok=True)
    for k in range(given.first, given.first + given.sets):
        tasks = [task for task in given.tasks.split(",") if task]
        for j, found in enumerate(asked(f"attacks {k}", given.videos, given.choices, tasks)):
            file = given.out / f"{given.videos}-{k}.{j}.jsonl"
            file.write_bytes(b"".join(msgspec.json.encode(q) + b"\n" for q in found))
            print(f"{file}: {sum(bool(q.choices) for q in found)} questions with options", flush=True)


if __name__ == "__main__":
    main()
