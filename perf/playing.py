"""Films of objects alone for documents: small, playing round and round, with a question and its answer.

    fathom build 4d-bench --assets FOLDER --out DATASET --scenes 5 --renderer none
    python perf/playing.py DATASET --assets FOLDER --out docs/pictures [--objects 4] [--view 1]

Writes one WebP an object, of every second frame of one view, and prints a question about each, of as many
kinds as there are, with its options and its answer.
"""

from __future__ import annotations

import argparse
from functools import partial
from pathlib import Path

from PIL import Image

from fathom.datasets.generators.animated_proofs import library_of_film
from fathom.pages.pictures import playing_film
from fathom.records import Question
from fathom.render.animated import RenderLook, painted
from fathom.render.variants import engine
from fathom.scenes.scene_at_time import models_at
from fathom.store.datasets import open_dataset

SIDE_PX, STEP, MOST_BYTES = 256, 2, 400_000


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("dataset", type=Path)
    parser.add_argument("--assets", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--objects", type=int, default=4)
    parser.add_argument("--view", type=int, default=1)
    args = parser.parse_args()
    dataset, paints = open_dataset(args.dataset), engine()
    library = library_of_film(dataset.manifest, args.assets)
    assert library is not None, "models are named"
    tasks: set[str] = set()
    about = {q.scene for q in dataset.questions() if q.choices}
    films = [scene for scene in dataset.scenes() if scene.id in about]
    for number, scene in enumerate(films[: args.objects], 1):
        frames = range(0, len(scene.times_s), STEP)
        cells = [(args.view, k) for k in frames]
        models = partial(models_at, scene, library)
        pictures = [
            Image.fromarray(p).resize((SIDE_PX, SIDE_PX), Image.Resampling.LANCZOS)
            for _, p in painted(scene, models, cells, paints, RenderLook(quality="draft"))
        ]
        each_ms = round(1000 * STEP * scene.times_s[-1] / (len(scene.times_s) - 1))
        film = playing_film(pictures, each_ms)
        assert len(film) < MOST_BYTES, f"{scene.id}: {len(film)} bytes"
        path = args.out / f"object-{number}.webp"
        path.write_bytes(film)
        asked = [q for q in dataset.questions() if q.scene == scene.id and q.choices]
        chosen = next((q for q in asked if q.task not in tasks), asked[0])
        tasks.add(chosen.task)
        print(f"{path} ({len(film) // 1000} kB), {scene.objects[0].subtype}: {_said(chosen)}")


def _said(q: Question) -> str:
    options = "; ".join(f"**{c}**" if c == q.answer else c for c in q.choices)
    return f"{q.text} {options}"


if __name__ == "__main__":
    main()
