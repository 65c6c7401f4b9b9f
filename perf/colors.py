"""Whether body colours can be named in finished pictures: the colour that each vehicle's paint comes out as.

    python perf/colors.py [--scenes N] [--environment DIR] [--seed S] [--half] [--keep DIR]

Draws N worlds, paints them with preview quality, and takes the median pixel of each vehicle's visible paint:
of the pixels that paint fills where there are enough, else of all that it has a part in. It counts as named
right when, in OKLab, it is nearer to its own colour in some light, between the shade and the sun, than to the
seven others in any such light, and than to black and white. Prints how many are, by environment, what was
taken for what, and how many are nearest to their own colour as it is, without allowing for the light.

Ref: PulseCheck457 §3.2 (colours).
"""

from __future__ import annotations

import argparse
import time
from collections import Counter, defaultdict
from collections.abc import Mapping
from functools import partial
from pathlib import Path

import msgspec
import numpy as np

from fathom.assets.libraries import built_in_library
from fathom.assets.model import BODY, Model
from fathom.assets.palette import BODY_COLORS
from fathom.ground_truth.trace import trace
from fathom.records import Environment, Scene
from fathom.render.color import linear, oklab
from fathom.render.environments import drawn, environments
from fathom.render.lights import light_of
from fathom.render.paint import paint
from fathom.render.tone import png
from fathom.render.variants import engine
from fathom.scenes.placed_models import models_of
from fathom.scenes.scatter import draw_scene
from fathom.scenes.scatter_settings import Scatter
from fathom.store.files import write_bytes

NAMES = (*BODY_COLORS, "white", "black")
SHADES = np.geomspace(0.4, 1.6, 9)
"""How strong the light on a surface may be, in units of what level ground gets: paint in the shade and in the
sun has the same name."""

FEWEST_PX = 12


PAINTS = linear(np.array(list(BODY_COLORS.values())))
PLAIN = oklab(np.concatenate([PAINTS, [(1.0, 1.0, 1.0), (0.0, 0.0, 0.0)]]))
LIT = oklab(PAINTS[:, None] * SHADES[None, :, None])


def nearest(median: np.ndarray) -> tuple[str, str]:
    """Return the names nearest to an sRGB colour in 0..1: as it is, and whatever the light on the paint."""
    seen = oklab(linear(median))
    plain = np.linalg.norm(PLAIN - seen, axis=-1)
    lit = np.append(np.linalg.norm(LIT - seen, axis=-1).min(axis=-1), plain[len(PAINTS) :])
    return NAMES[int(plain.argmin())], NAMES[int(lit.argmin())]


def halved(scene: Scene) -> Scene:
    """Return the scene before a camera with half as many pixels each way."""
    c = scene.cameras[0]
    small = msgspec.structs.replace(
        c, width=c.width // 2, height=c.height // 2, fx=c.fx / 2, fy=c.fy / 2, cx=c.cx / 2, cy=c.cy / 2
    )
    found: Scene = msgspec.structs.replace(scene, cameras=(small,))
    return found


def named(scene: Scene, models: Mapping[str, Model], pixels: np.ndarray) -> list[tuple[str, str, str]]:
    """Return the colour of each object whose paint shows, and the names nearest to what the picture has."""
    truth = trace(scene, dict(models))
    found = []
    for k, (obj, seen) in enumerate(zip(scene.objects, truth.objects, strict=True)):
        painted = [i for i, p in enumerate(models[obj.id].parts) if p.material.name == BODY]
        x0, y0, x1, y1 = seen.window
        paint_px = truth.visible(k) & np.isin(seen.part, painted)
        filled = _filled(paint_px)
        if np.count_nonzero(filled) >= FEWEST_PX:
            paint_px = filled
        if obj.attributes.get("color") not in BODY_COLORS or not paint_px.any():
            continue
        median = np.median(pixels[y0:y1, x0:x1][paint_px] / 255, axis=0)
        found.append((obj.attributes["color"], *nearest(median)))
    return found


def _filled(mask: np.ndarray) -> np.ndarray:
    """Return the pixels of a mask whose four neighbours are in it too."""
    m = np.pad(mask, 1)
    return np.asarray(m[1:-1, 1:-1] & m[:-2, 1:-1] & m[2:, 1:-1] & m[1:-1, :-2] & m[1:-1, 2:])


def _always(light: Environment, _: str) -> Environment:
    return light


def main() -> None:
    """Print the table."""
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    asked.add_argument("--scenes", type=int, default=42)
    asked.add_argument("--environment", type=Path)
    asked.add_argument("--seed", default="colors")
    asked.add_argument("--half", action="store_true", help="at half size, with half the work")
    asked.add_argument("--keep", type=Path, help="write the pictures there")
    given = asked.parse_args()
    library, painter = built_in_library(), engine()
    lights = environments(given.environment)
    taken: Counter[tuple[str, str]] = Counter()
    where: dict[str, Counter[bool]] = defaultdict(Counter)
    as_it_is, start = 0, time.process_time()
    for k in range(given.scenes):
        # Every environment comes up equally often.
        light = drawn([lights[k % len(lights)]], given.seed, k)
        scene = draw_scene(k, given.seed, library, Scatter(), partial(_always, light))
        scene = halved(scene) if given.half else scene
        models = models_of(scene, library)
        pixels = paint(scene, models, light_of(light, given.environment), painter, "preview")
        for meant, plain, lit in named(scene, models, pixels):
            pair = (meant, lit)
            taken[pair] += 1
            as_it_is += meant == plain
            if pair[0] != pair[1] and given.keep:
                print(f"  {light.name} on {light.ground}, picture {k}: {pair[0]} taken for {pair[1]}")
            where[light.name][pair[0] == pair[1]] += 1
        if given.keep:
            name = f"{light.name.removeprefix('sky:').split('.')[0]}-{light.ground}-{k:03d}.png"
            write_bytes(given.keep / name, png(pixels))
    total, right = taken.total(), sum(n for (a, b), n in taken.items() if a == b)
    print(
        f"{right} of {total} named right ({right / total:.1%}), {as_it_is / total:.1%} as they are; "
        f"{time.process_time() - start:.0f} CPU s"
    )
    for name, marks in where.items():
        print(f"  {name:28} {marks[True]:>4} of {marks.total()}")
    for (meant, found), n in taken.most_common():
        if meant != found:
            print(f"  {meant} taken for {found}: {n}")


if __name__ == "__main__":
    main()
