"""CPU seconds from nothing to a video with exact tracks: its world, truth of 30 frames, pictures of them.

    python perf/videos.py [--worlds 6] [--assets DIR] [--painted 2] [--pictures 3] [--renderer mitsuba-scalar]

Prints, for each scale, the mean and the worst of drawing a world of 10 s at 30 frames a second, of the truth
of the frames that the protocol shows, of drafting what could be asked and of deriving it a second time, and
the pictures of all 30 frames at preview quality: the first, and so many of the others, counted for all. One
thread does all, as in a build with as many workers as there are cores.
"""

from __future__ import annotations

import argparse
import resource
import tempfile
import time
from collections import defaultdict
from functools import partial
from pathlib import Path

import numpy as np

from fathom.assets.libraries import Library
from fathom.assets.model import Model
from fathom.benchmarks.stibench.construction import frames, recipe
from fathom.datasets.generators.videos import as_painted
from fathom.datasets.generators.videos_cache import media_of_video
from fathom.ground_truth.cell_files import TruthCells, write_cells
from fathom.ground_truth.cells import POINTS
from fathom.ground_truth.footage import as_filmed, footage
from fathom.pages.tables import Table, as_text
from fathom.questions.contexts.video_visibility import sights_in
from fathom.questions.sampling.video import drafted
from fathom.records import Scene
from fathom.render.animated import RenderLook, painted
from fathom.render.variants import RENDERERS, Engine, engine, prepare
from fathom.scenes.videos.scales import SCALES, Scale, libraries_in
from fathom.verify.engine import derive
from fathom.verify.observed.video import observed_video
from fathom.workers import keep_to

SHOWN = 30


def main() -> None:
    words = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    words.add_argument("--worlds", type=int, default=6, help="how many worlds of each scale")
    words.add_argument("--assets", type=Path, help="folders of models beside the built-in ones")
    words.add_argument("--painted", type=int, default=2, help="how many worlds of each scale are painted")
    words.add_argument("--pictures", type=int, default=3, help="how many frames, after a world's first")
    words.add_argument("--renderer", default="mitsuba", choices=[r for r in RENDERERS if r != "none"])
    words.add_argument("--seed", default="perf", help="what the worlds follow from")
    given = words.parse_args()
    keep_to(1)
    libraries = libraries_in(given.assets)
    with_engine = engine(given.renderer) if given.painted and given.pictures else None
    if with_engine is not None:
        prepare(with_engine)
    rows = []
    for name, scale in SCALES.items():
        spent: dict[str, list[float]] = defaultdict(list)
        scenes = [_made(scale, libraries[name], k, given.seed, spent) for k in range(given.worlds)]
        if with_engine is not None:
            # The first pictures of a process compile what the others use.
            _painted(scale, libraries[name], scenes[0], 1, with_engine, defaultdict(list))
            for scene in scenes[: given.painted]:
                _painted(scale, libraries[name], scene, given.pictures, with_engine, spent)
        rows += [(name, what, f"{np.mean(v):.2f}", f"{max(v):.2f}") for what, v in spent.items()]
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6
    print(
        as_text(
            Table(
                title=f"Videos of 10 s at 30 frames a second, {given.worlds} of each scale: CPU seconds",
                columns=("scale", "what", "mean", "worst"),
                rows=tuple(rows),
                notes=(f"peak memory {peak:.2f} GB",),
            )
        )
    )


def _made(
    scale: Scale, library: Library | None, index: int, seed: str, spent: dict[str, list[float]]
) -> Scene:
    clock = time.process_time
    begun = clock()
    scene = scale.draw(index, seed, scale.settings, library)
    drawn = clock()
    filmed, models = as_filmed(scene, scale.models(scene, 0, library))
    shown = frames(media_of_video(scene))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "truth.zip"
        swinging = partial(_swinging, scale, library, scene)
        write_cells(path, filmed, footage(filmed, models, shown, POINTS, swinging), POINTS)
        cast = clock()
        with TruthCells(path) as cells:
            visibility = sights_in(scene, cells)
            seen = clock()
            drafts = drafted(scene, visibility, recipe(seed).questions)
            asked = clock()
            video = observed_video(scene, (cells.read(*at) for at in cells.cells))
            for draft in drafts:
                derive(draft.program, video)
    for what, seconds in (
        ("exact tracks", drawn - begun),
        (f"truth of {SHOWN} frames", cast - drawn),
        ("what these show", seen - cast),
        ("drafts of questions", asked - seen),
        ("second derivation of all drafts", clock() - asked),
    ):
        spent[what].append(seconds)
    return scene


def _swinging(scale: Scale, library: Library | None, scene: Scene, frame: int | None) -> dict[str, Model]:
    return scale.swinging(scene, frame, library)


def _painted(
    scale: Scale, library: Library | None, scene: Scene, count: int, by: Engine, spent: dict[str, list[float]]
) -> None:
    """Paint so many frames of a world after its first, and note what all that are shown would take."""
    whole, models = as_painted(scene, scale.models(scene, 0, library))

    def at(frame: int) -> dict[str, Model]:
        return {**models, **_swinging(scale, library, scene, frame)}

    places = np.linspace(0, len(scene.times_s) - 1, count + 1).round().astype(int)
    begun = [time.process_time()]
    cells = [(0, int(f)) for f in places]
    begun += [time.process_time() for _ in painted(whole, at, cells, by, RenderLook("draft"))]
    first, *others = np.diff(begun)
    spent[f"pictures of {SHOWN} frames, {by.variant}"].append(first + (SHOWN - 1) * float(np.mean(others)))
    spent["of these, the first"].append(float(first))


if __name__ == "__main__":
    main()
