"""CPU seconds and peak memory of truth, preview and final pictures: 8 built-in vehicles at 640 × 480.

    python perf/render.py           # all of it; each engine in a process of its own
    python perf/render.py truth     # the figures of one alone, as JSON

Measure on a machine that is otherwise idle: a busy one shows up to twice the figures. The first picture of
each engine, which compiles, is shown apart.

Truth is that of a scene whose models were met before, as nearly all are in a build; "new models" that of
the first scenes of a process, in which four or five of eight models are made ready for rays.
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
import time
from collections.abc import Callable
from functools import partial

import numpy as np

from fathom.assets.libraries import built_in_library
from fathom.assets.model import Model
from fathom.ground_truth.trace import covers_under, trace
from fathom.records import Environment, Scene
from fathom.render.lights import light_of
from fathom.render.paint import paint
from fathom.render.variants import engine
from fathom.scenes.placed_models import models_of
from fathom.scenes.scatter import draw_scene
from fathom.scenes.scatter_settings import Scatter

REFERENCE_S = {"truth": 0.3, "mitsuba": 3.2, "mitsuba-scalar": 7.0}
"""Measured with 6 objects of 30,000 triangles in all, before this code was written."""

ROUNDS = 5


def seconds(work: Callable[[], object]) -> float:
    """CPU seconds of one call, user and system, all threads."""
    start = time.process_time()
    work()
    return time.process_time() - start


def scenes() -> list[tuple[Scene, dict[str, Model]]]:
    library = built_in_library()
    sky = Environment(name="sky:clear-noon", ground="asphalt", rotation_rad=1.0)
    drawn = [draw_scene(k, "perf", library, Scatter(fewest=8, most=8), lambda _: sky) for k in range(ROUNDS)]
    return [(s, models_of(s, library)) for s in drawn]


def measured(what: str) -> dict[str, float]:
    found: dict[str, float] = {}
    worlds = scenes()
    if what == "truth":
        times = [seconds(partial(trace, s, m)) for s, m in worlds]
        found = {"first": times[0], "new models": float(np.median(times[1:]))}
        found["truth"] = float(np.median([seconds(partial(trace, s, m)) for s, m in worlds]))
        scene, models = worlds[0]
        draws = [[t.poses[0] for t in scene.objects]] * 20
        found["20 shaken scenes"] = seconds(partial(covers_under, scene, models, draws))
    else:
        chosen = engine(what)
        light = light_of(worlds[0][0].environment)
        for quality in ("preview", "final"):
            times = [seconds(partial(paint, s, m, light, chosen, quality)) for s, m in worlds]
            found[f"first {quality}"] = times[0]
            found[quality] = float(np.median(times[1:]))
    found["peak GB"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6
    return found


def main() -> None:
    words = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    words.add_argument("engine", nargs="?", choices=list(REFERENCE_S))
    given = words.parse_args()
    if given.engine:
        print(json.dumps(measured(given.engine)))
        return
    for what in REFERENCE_S:
        child = subprocess.run([sys.executable, __file__, what], capture_output=True, text=True, check=True)
        found: dict[str, float] = json.loads(child.stdout.splitlines()[-1])
        main_figure = found["truth" if what == "truth" else "final"]
        ratio = main_figure / REFERENCE_S[what]
        figures = ", ".join(f"{name} {value:.2f}" for name, value in found.items())
        print(f"{what:15} {figures}  (CPU s)  ×{ratio:.2f} of {REFERENCE_S[what]} s")


if __name__ == "__main__":
    main()
