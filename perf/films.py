"""CPU seconds and peak memory of a film: from GLB to truth, what shows, and the pictures of a protocol.

    python perf/films.py               # all of it, each in a process of its own
    python perf/films.py truth         # one of truth, play, mitsuba, mitsuba-scalar, film; as JSON

With FATHOM_ASSETS (a folder that holds animated/) the actor is one of that folder's with at least 5,000
vertices; without, a built-in one. Measure on a machine that is otherwise idle.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path

from fathom.assets.animated.library import AnimatedLibrary, open_animated_library
from fathom.assets.model import Model
from fathom.ground_truth.cell_files import write_cells
from fathom.ground_truth.cells import POINTS, cells_of
from fathom.records import AssetError, Scene
from fathom.render.animated import RenderLook
from fathom.render.frame_writer import make_film, make_stills
from fathom.render.variants import engine
from fathom.scenes.animated_assets import built_in_animated
from fathom.scenes.animated_scenes import draw_animated_scene
from fathom.scenes.scene_at_time import Staging, limbs_of, models_at
from fathom.scenes.visibility_grids import ModelsAt, grid_of, visibility_grid_of

TARGETS_S = {"truth": 90.0, "play": 25.0, "mitsuba": 20.0, "mitsuba-scalar": 40.0, "film": 60.0}
"""Truth and what shows: 24 views × 24 frames at 512². Pictures: 3 views × 6 frames. Film: 1 view, 48."""

VIEWS, FRAMES = (1, 8, 16), range(0, 48, 8)
HEAVY = 5_000


def opened_library() -> AnimatedLibrary:
    folder = Path(os.environ.get("FATHOM_ASSETS", "../shared/assets")) / "animated"
    try:
        return open_animated_library(folder)
    except AssetError:
        return built_in_animated()


def timeline(library: AnimatedLibrary) -> tuple[Scene, ModelsAt]:
    """The first story whose actor has so many vertices, or else the one with most of the first dozen."""
    best: tuple[int, Scene] | None = None
    for index in range(12):
        scene = draw_animated_scene(index, "perf", library, Staging(stage="props"))
        there = models_at(scene, library, 0)
        count = sum(len(p.vertices) for p in there["actor"].parts) if "actor" in there else 0
        if best is None or count > best[0]:
            best = (count, scene)
        if count >= HEAVY:
            break
    assert best is not None
    chosen = best[1]

    def at(frame: int) -> Mapping[str, Model]:
        return models_at(chosen, library, frame)

    return chosen, at


def measured(what: str) -> dict[str, float | str]:
    library = opened_library()
    scene, posed = timeline(library)
    # Read anew, so that opening the file is part of what is measured.
    library = opened_library()
    at = lru_cache(maxsize=4)(lambda frame: models_at(scene, library, frame))
    cells = {v: tuple(FRAMES) for v in VIEWS}
    found: dict[str, float | str] = {
        "actor": scene.objects[0].asset.name,
        "things": float(len(scene.objects)),
    }
    found["vertices"] = float(sum(len(p.vertices) for m in posed(0).values() for p in m.parts))
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder)
        if what in ("mitsuba", "mitsuba-scalar", "film"):
            chosen = engine("mitsuba" if what == "film" else what)
            start = time.process_time()
            make_stills(out, scene, at, {0: (0,)}, chosen, RenderLook())
            found["first picture"] = time.process_time() - start
        start = time.process_time()
        if what == "truth":
            every = (c for f in grid_of(48) for c in cells_of(scene, at(f), f, range(24), at(0)))
            write_cells(out / "a.npz", scene, every, POINTS)
            found["MB"] = (out / "a.npz").stat().st_size / 1e6
        elif what == "play":
            visibility_grid_of(scene, at, limbs=limbs_of(scene, library))
        elif what == "film":
            make_film(out, scene, at, [3], chosen, RenderLook())
        else:
            make_stills(out, scene, at, cells, chosen, RenderLook())
        found[what] = time.process_time() - start
        if what == "mitsuba":
            start = time.process_time()
            make_stills(out, scene, at, cells, chosen, RenderLook("final"))
            found["final"] = time.process_time() - start
    found["peak GB"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6
    return found


def main() -> None:
    words = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    words.add_argument("what", nargs="?", choices=list(TARGETS_S))
    given = words.parse_args()
    if given.what:
        print(json.dumps(measured(given.what)))
        return
    for what, target in TARGETS_S.items():
        child = subprocess.run([sys.executable, __file__, what], capture_output=True, text=True, check=True)
        found: dict[str, float | str] = json.loads(child.stdout.splitlines()[-1])
        figures = ", ".join(f"{k} {v:.2f}" if isinstance(v, float) else f"{k} {v}" for k, v in found.items())
        print(f"{what:15} {figures}  (CPU s, target {target:g})")


if __name__ == "__main__":
    main()
