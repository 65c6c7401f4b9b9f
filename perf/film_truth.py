"""What the truth and the second derivation of films cost, and how the two derivations compare.

    python perf/film_truth.py [--assets DIR] [--objects N] [--seed S]
    python perf/film_truth.py --dataset DIR [--assets DIR]

Prints CPU seconds for each object: drawing the story, posing (what drawing did not pose already), cells, the
play of the first derivation, what is offered, watching the cells, and deriving. Then, for everything that
could be asked of these objects (not only for what a dataset asks), how often the derivations agree, by task
and by operator, and each question on which they do not.
With --dataset its films are watched and asked, and nothing is made.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Iterator
from functools import partial
from pathlib import Path

from fathom.api import benchmark_named
from fathom.assets.animated.library import AnimatedLibrary
from fathom.datasets.generators.animated_motions import motion_library_of
from fathom.datasets.generators.animated_proofs import VISIBILITY_FOLDER, library_of_film
from fathom.datasets.generators.animated_settings import Plan, library_of_plan, recipe_of
from fathom.datasets.requests import plan_asked
from fathom.ground_truth.cell_files import TruthCells, write_cells
from fathom.ground_truth.cells import POINTS, cells_of, views_looked_at
from fathom.pages.tables import Table, as_text
from fathom.programs.visibility_grid import VisibilityGrid
from fathom.questions.animated_candidate import AnimatedCandidate
from fathom.questions.sampling.animated import offer
from fathom.questions.templates import Template, with_choice
from fathom.records import Scene, Step, UnfitError
from fathom.scenes.animated_scenes import draw_animated_scene
from fathom.scenes.scene_at_time import limbs_of, model_at, models_at
from fathom.scenes.visibility_files import read_visibility_grid
from fathom.scenes.visibility_grids import grid_of, visibility_grid_of
from fathom.store.datasets import open_dataset
from fathom.store.seeds import rng
from fathom.verify.engine import derived_text
from fathom.verify.observed.animation import observed_animation

VERDICTS = ("agree", "disagree", "cannot decide")
SPENT = ("drawing", "posing", "cells", "play", "offering", "watching", "deriving")


class Clock:
    """CPU seconds since it was last asked, by name."""

    def __init__(self) -> None:
        """Start."""
        self.spent: dict[str, float] = defaultdict(float)
        self._last = time.process_time()

    def add(self, name: str) -> None:
        """Put down what was spent since the last time."""
        now = time.process_time()
        self.spent[name] += now - self._last
        self._last = now


def made(plan: Plan, clock: Clock) -> Iterator[tuple[Scene, Path, VisibilityGrid, AnimatedLibrary]]:
    """Yield stories as a build makes them, with their truth and plays."""
    library = library_of_plan(plan)
    for index in range(plan.scenes):
        try:
            scene = draw_animated_scene(index, plan.seed, library, plan.own.staging)
        except UnfitError as e:
            print(f"{index}: {e}")
            continue
        grid = grid_of(len(scene.times_s))
        clock.add("drawing")
        models = {f: models_at(scene, library, f) for f in grid}
        clock.add("posing")
        actor = scene.objects[0]
        stance = model_at(actor, library, scene.times_s[0])
        rest = {actor.id: stance} if stance else {}
        views = views_looked_at(scene, plan.own.truth_step)
        path = plan.out / f"{scene.id}.npz"
        every = (c for f in grid for c in cells_of(scene, models[f], f, views, rest))
        write_cells(path, scene, every, POINTS)
        clock.add("cells")
        visibility = visibility_grid_of(
            scene, partial(models_at, scene, library), grid, limbs_of(scene, library)
        )
        clock.add("play")
        yield scene, path, visibility, library


def kept(
    folder: Path, assets: Path | None, clock: Clock
) -> Iterator[tuple[Scene, Path, VisibilityGrid, AnimatedLibrary]]:
    """Yield the films of a dataset, with their truth and plays."""
    dataset = open_dataset(folder)
    library = library_of_film(dataset.manifest, assets)
    if library is None:
        raise SystemExit(f"{folder}: its models are not at hand; name their folder with --assets")
    for name in dict.fromkeys(q.scene for q in dataset.questions()):
        scene = dataset.scene(name)
        visibility = read_visibility_grid(folder / VISIBILITY_FOLDER / f"{name}.npz")
        clock.add("drawing")
        yield scene, dataset.truth_path(scene), visibility, library


def asked(form: Template, candidate: AnimatedCandidate) -> tuple[Step, ...]:
    """Return the program of a candidate with the first of its false choices, in random order."""
    keys = [candidate.answer.key, *(o.key for o in candidate.pool[:3])]
    order = rng("film_truth", candidate.scene, *candidate.identity).permutation(len(keys))
    return with_choice(form, candidate.program, [keys[int(k)] for k in order])


def table(what: str, counts: Counter[tuple[str, str]]) -> Table:
    """Return how often the derivations agree, by one object."""
    names = sorted({name for name, _ in counts})
    rows = [(n, *(f"{counts[n, v]:,}" for v in VERDICTS)) for n in names]
    return Table(f"Both derivations by {what}", (what, *VERDICTS), tuple(rows))


def main() -> None:
    """Measure and print."""
    words = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    words.add_argument("--assets", type=Path, help="a folder of animated models; else the built-in ones")
    words.add_argument("--objects", type=int, default=6)
    words.add_argument("--seed", default="0")
    words.add_argument("--dataset", type=Path, help="a dataset of films that is there")
    given = words.parse_args()
    benchmark = benchmark_named("4d-bench")
    clock, tasks, operators = Clock(), Counter[tuple[str, str]](), Counter[tuple[str, str]]()
    with tempfile.TemporaryDirectory() as folder:
        common = {
            "out": Path(folder), "benchmark": benchmark.name, "benchmark_version": benchmark.version,
            "scenes": given.objects, "seed": given.seed, "assets": given.assets,
        }  # fmt: skip
        plan: Plan = plan_asked(benchmark, common, {}, workers=1)
        recipe = recipe_of(plan).questions
        films = kept(given.dataset, given.assets, clock) if given.dataset else made(plan, clock)
        total: dict[str, float] = defaultdict(float)
        count = 0
        for scene, path, visibility, library in films:
            candidates = offer(scene, visibility, recipe).candidates
            clock.add("offering")
            with TruthCells(path) as cells:
                film = observed_animation(scene, cells, motion_library_of(scene, library))
            clock.add("watching")
            for c in candidates:
                form = c.template
                program = asked(form, c)
                got = derived_text(program, film)
                verdict = VERDICTS[2] if got is None else VERDICTS[got != c.answer.key]
                tasks[form.task, verdict] += 1
                operators.update((op, verdict) for op in {s.op for s in program})
                if verdict != "agree":
                    fills = " ".join(f"{slot}={f.key}" for slot, f in c.fills.items())
                    print(f"  {verdict}: {scene.id} {c.form} {fills}: {c.answer.key!r}, {got!r}")
            clock.add("deriving")
            spent = ", ".join(f"{name} {clock.spent[name]:.2f}" for name in SPENT)
            print(f"{scene.objects[0].asset.name:24} {len(candidates):4} candidates  {spent}", flush=True)
            for name, seconds in clock.spent.items():
                total[name] += seconds
            clock.spent.clear()
            count += 1
    print(f"\nCPU s an object: {', '.join(f'{name} {total[name] / max(count, 1):.2f}' for name in SPENT)}\n")
    print(as_text(table("task", tasks)))
    print(as_text(table("operator", operators)))


if __name__ == "__main__":
    main()
