"""How well plain measures of painted pictures tell apart the weathers, and the times, that are asked for.

    python perf/sights.py --streets 10 [--width 160] [--pictures FOLDER]

Each street is painted in all eight sights, as a draft. Of each picture some numbers are taken that know
nothing of how it was made: how bright and how blue the sky is, how much contrast there is near the horizon
and close by, how grainy the sky is, how bright the ground. Of two answers of one question, the measure and
the border that tell them apart best in the even streets are tried in the odd ones. What is printed is the
share that comes out right in both, the measure, and the border. The second derivation reads numbers of the
sky and the air; this shows whether the pictures let one see the same.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Mapping, Sequence
from itertools import combinations
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from fathom.benchmarks.seedbench.construction import templates
from fathom.pages.tables import Table, as_text
from fathom.render.animated import RenderLook, painted
from fathom.render.tone import png
from fathom.render.variants import engine, prepare
from fathom.scenes.pictured_streets import SIGHTS, PicturedStreets, StreetSight, street_in
from fathom.scenes.videos.streetscape import models_at
from fathom.store.seeds import rng

Picture = NDArray[np.float64]
"""(height, width, 3) sRGB from 0 to 1."""

FORMS = {"weather": "weather", "time_of_day": "time"}
"""Form → what of a sight is its answer."""


def grey(picture: Picture) -> NDArray[np.float64]:
    """Return (height, width) how bright a picture is."""
    return np.asarray(picture.mean(axis=2))


def sky(picture: Picture) -> Picture:
    """Return (n, 3) the brightest tenth of the upper third: of what is there, sky."""
    upper = picture[: len(picture) // 3].reshape(-1, 3)
    bright = upper.mean(axis=1)
    return np.asarray(upper[bright >= np.quantile(bright, 0.9)])


def band(picture: Picture, low: float, high: float) -> NDArray[np.float64]:
    """Return the rows of a picture between two heights, from the top, as grey."""
    rows = len(picture)
    return grey(picture)[round(low * rows) : round(high * rows)]


def edges(rows: NDArray[np.float64]) -> float:
    """Return how much contrast there is from pixel to pixel, ÷ how bright it is."""
    return float(np.abs(np.diff(rows, axis=1)).mean() / max(rows.mean(), 1e-3))


def grain(picture: Picture) -> float:
    """Return how much single pixels of the upper third differ from those around them, the median of rows."""
    upper = band(picture, 0.0, 0.33)
    own = upper[1:-1, 1:-1]
    around = (upper[:-2, 1:-1] + upper[2:, 1:-1] + upper[1:-1, :-2] + upper[1:-1, 2:]) / 4
    return float(np.median(np.abs(own - around).mean(axis=1)))


MEASURES: Mapping[str, Callable[[Picture], float]] = {
    "brightness": lambda p: float(p.mean()),
    "brightness of the sky": lambda p: float(sky(p).mean()),
    "blueness of the sky": lambda p: float((sky(p)[:, 2] - sky(p)[:, 0]).mean()),
    "contrast at the horizon": lambda p: edges(band(p, 0.42, 0.55)),
    "contrast close by": lambda p: edges(band(p, 0.75, 1.0)),
    "brightness of the ground": lambda p: float(np.median(band(p, 0.75, 1.0))),
    "spread on the ground": lambda p: float(np.ptp(np.quantile(band(p, 0.6, 1.0), (0.1, 0.9)))),
    "warmth": lambda p: float((p[..., 0] - p[..., 2]).mean()),
    "color": lambda p: float(np.ptp(p, axis=2).mean()),
    "grain of the sky": grain,
}


def pictures_of(sight: StreetSight, index: int, width: int, out: Path | None) -> Picture:
    """Return one street in one sight, painted as a draft."""
    wanted = PicturedStreets(width=width, height=width * 3 // 4)
    scene = street_in(sight, rng("sights", index, sight.weather, sight.time), index, "sights", wanted)
    own = engine()
    prepare(own)
    ((_, pixels),) = painted(scene, lambda frame: models_at(scene, frame), [(0, 0)], own, RenderLook("draft"))
    if out is not None:
        out.mkdir(parents=True, exist_ok=True)
        (out / f"{index:03d}-{sight.weather}-{sight.time.replace(' ', '-')}.png").write_bytes(png(pixels))
    return np.asarray(pixels / 255.0)


def best_border(ones: NDArray[np.float64], others: NDArray[np.float64]) -> tuple[float, float, bool]:
    """Return the share of numbers on the right side of the best border, the border, and whether the first
    ones are above it.
    """
    every = np.sort(np.concatenate([ones, others]))
    borders = (every[1:] + every[:-1]) / 2
    above = np.array([((ones > b).mean() + (others <= b).mean()) / 2 for b in borders])
    k = int(np.abs(above - 0.5).argmax())
    return float(max(above[k], 1 - above[k])), float(borders[k]), bool(above[k] >= 0.5)


def told_apart(one: NDArray[np.float64], other: NDArray[np.float64]) -> tuple[float, float, str]:
    """Return how many pictures of even and of odd streets the best measure tells apart, and which it is; both
    are (streets, sights, measures).
    """
    (learnt, tried), (learnt_other, tried_other) = (
        [x[half::2].reshape(-1, len(MEASURES)).T for half in (0, 1)] for x in (one, other)
    )
    found = []
    for m, name in enumerate(MEASURES):
        share, border, above = best_border(learnt[m], learnt_other[m])
        held = (((tried[m] > border) == above).mean() + ((tried_other[m] <= border) == above).mean()) / 2
        spread = max(float(np.ptp(learnt[m])), float(np.ptp(learnt_other[m])), 1e-6)
        gap = abs(float(np.median(learnt[m]) - np.median(learnt_other[m]))) / spread
        found.append((share, gap, float(held), f"{name} {'>' if above else '<'} {border:.3f}"))
    share, _, held, name = max(found)
    return share, held, name


def table_of(form: str, numbers: Sequence[NDArray[np.float64]]) -> Table:
    """Return what tells the answers of a form apart, two by two; the numbers of each sight are (streets,
    measures).
    """
    options = next(t.options for t in templates().templates if t.id == form)
    of = {
        v: np.stack([n for s, n in zip(SIGHTS, numbers, strict=True) if getattr(s, FORMS[form]) == v], axis=1)
        for v in options
    }
    rows = []
    for one, other in combinations(options, 2):
        share, held, name = told_apart(of[one], of[other])
        rows.append((f"{one}, {other}", f"{share:.0%}", f"{held:.0%}", name))
    return Table(title=form, columns=("", "even streets", "odd streets", "by"), rows=tuple(rows))


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--streets", type=int, default=12)
    parser.add_argument("--width", type=int, default=160)
    parser.add_argument("--pictures", type=Path)
    given = parser.parse_args()
    start = time.process_time()
    numbers = []
    for sight in SIGHTS:
        seen = [pictures_of(sight, k, given.width, given.pictures) for k in range(given.streets)]
        numbers.append(np.array([[measure(p) for measure in MEASURES.values()] for p in seen]))
    for form in FORMS:
        print(as_text(table_of(form, numbers)))
    print(f"{given.streets} streets in {len(SIGHTS)} sights, {time.process_time() - start:.0f} CPU s")


if __name__ == "__main__":
    main()
