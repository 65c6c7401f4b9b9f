"""Precision and recall of motion found in pixels, against what the animation gives, and its CPU seconds.

    python perf/curation.py ASSETS/animated                   # 3 clips of each asset, and each asset at rest
    python perf/curation.py ASSETS/animated --clips 1 --crf 32  # fewer, and encoded more coarsely

Each film is one second of rest, up to two seconds of a clip, and one second of rest, seen from two views,
drawn by the depth buffer of geometry/visibility.py with flat colours, and encoded as H.264. With --store DIR
the measured records are kept, and read instead of measured when they are there.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from tests.curation.made import encoded

from fathom.assets.gltf.moving import REST, Moving, open_moving
from fathom.assets.model import Part
from fathom.curation.agreement import Compared, agreement, agreement_rows
from fathom.curation.curate import CurationSettings, curation_rows, decide
from fathom.curation.measuring import MeasuredObject, PoolObject, measure
from fathom.geometry.views import fitted_orbit
from fathom.geometry.visibility import silhouette
from fathom.media.video import iter_frames, probe
from fathom.records import Camera, FathomError
from fathom.store.files import read_jsonl, write_jsonl
from fathom.store.seeds import rng

FPS, REST_FRAMES, MOST_FRAMES = 12.0, 12, 24
SHADES = 16
Floats = NDArray[np.float64]
Picture = NDArray[np.uint8]
UP = np.array([[0.0, 0, 1], [1, 0, 0], [0, 1, 0]])
"""From a file's frame, y up and z ahead, to x ahead and z up."""


@dataclass(frozen=True)
class Take:
    """A clip of an asset, or the asset at rest, as times to be shown."""

    moving: Moving
    clip: str
    times: tuple[float, ...]

    def points(self) -> Iterator[Floats]:
        """Yield the (n, 3) vertices of every frame."""
        for t in self.times:
            yield self.moving.vertices_at(self.clip, t) @ UP.T

    def parts(self) -> tuple[Part, ...]:
        """Return the triangles of the first frame."""
        return self.moving.parts_at(self.clip, self.times[0])


def takes(path: Path, clips: int) -> list[tuple[str, Take]]:
    """Return a few clips of an asset with a second of rest around each, and the asset at rest."""
    moving = open_moving(path)
    chosen = rng("perf", "curation", path.stem).permutation(len(moving.clips))[:clips]
    found = []
    for clip in (moving.clips[int(k)] for k in sorted(chosen)):
        frames = min(MOST_FRAMES, max(1, round(clip.duration_s * FPS)))
        times = [clip.begin_s + k / FPS for k in range(frames + 1)]
        held = ([times[0]] * REST_FRAMES, times, [times[-1]] * REST_FRAMES)
        found.append((f"{path.stem}-{clip.name}", Take(moving, clip.name, tuple(t for h in held for t in h))))
    still = Take(moving, REST, (0.0,) * (2 * REST_FRAMES + MOST_FRAMES))
    return [*found, (f"{path.stem}-(at rest)", still)]


def candidate(name: str, take: Take, folder: Path, size_px: int, views: int, crf: int) -> PoolObject:
    """Return a take as an object to be measured; its films are drawn, encoded and decoded when asked for."""
    wide = np.concatenate(list(take.points())[:: max(1, len(take.times) // 8)])
    cameras = fitted_orbit(wide, np.deg2rad(15), views, (size_px, size_px), np.deg2rad(35))

    def films() -> Iterator[Iterator[Picture]]:
        for number, camera in enumerate(cameras):
            path = encoded(folder / f"{number}.mp4", drawn(take, camera), crf)
            yield (picture for _, picture in iter_frames(path, range(probe(path).frames)))

    return PoolObject(
        name=name,
        category="animal",
        films=films,
        fps=FPS,
        motions=(take.clip,),
        asset=name.split("-")[0],
        sequence=(take.clip,),
        parts=take.parts,
        positions=take.points,
        size=float(np.ptp(next(iter(take.points())), axis=0).max()),
    )


def drawn(take: Take, camera: Camera) -> Iterator[Picture]:
    """Yield the frames of one view: flat colours in sixteen steps of light, before white."""
    parts = take.parts()
    starts = np.cumsum([0, *(len(p.vertices) for p in parts)])
    faces = np.concatenate([p.faces + s for p, s in zip(parts, starts[:-1], strict=True)])
    owner = np.concatenate([np.full(len(p.faces), i) for i, p in enumerate(parts)])
    colors = np.array([plain_color(p) for p in parts])
    before: tuple[Floats, Picture] | None = None
    for points in take.points():
        if before is None or not np.array_equal(before[0], points):
            before = points, shaded(points, faces, owner, colors, camera)
        yield before[1]


def plain_color(part: Part) -> tuple[float, float, float]:
    """Return one colour for a part."""
    texture = part.material.texture
    color = part.material.color if texture is None else tuple(texture[..., :3].mean(axis=(0, 1)) / 255)
    return color[0], color[1], color[2]


def shaded(
    points: Floats, faces: NDArray[np.integer], owner: NDArray[np.integer], colors: Floats, camera: Camera
) -> Picture:
    """Return one picture."""
    t = points[faces]
    normal = np.cross(t[:, 1] - t[:, 0], t[:, 2] - t[:, 0])
    normal /= np.maximum(np.linalg.norm(normal, axis=1, keepdims=True), 1e-12)
    light = np.abs(normal @ (np.array([0.4, 0.3, 0.85]) / np.linalg.norm([0.4, 0.3, 0.85])))
    shade = np.minimum((light * SHADES).astype(int), SHADES - 1)
    seen = silhouette(camera, points, faces, owner * SHADES + shade)
    picture = np.full((camera.height, camera.width, 3), 255, np.uint8)
    palette = colors[:, None, :] * (0.35 + 0.65 * (np.arange(SHADES) + 0.5) / SHADES)[None, :, None]
    table = np.rint(255 * palette.clip(0, 1)).astype(np.uint8).reshape(-1, 3)
    rows, columns = np.nonzero(seen.part >= 0)
    y, x = rows + seen.top, columns + seen.left
    inside = (y >= 0) & (y < camera.height) & (x >= 0) & (x < camera.width)
    picture[y[inside], x[inside]] = table[seen.part[rows[inside], columns[inside]]]
    return picture


def measured(folder: Path, options: argparse.Namespace) -> list[MeasuredObject]:
    """Return what is measured of every take."""
    found: list[MeasuredObject] = []
    for path in sorted(p for p in folder.iterdir() if p.suffix in (".glb", ".gltf")):
        try:
            listed = takes(path, options.clips)
        except FathomError as e:
            print(f"left out: {e}")
            continue
        for name, take in listed:
            with tempfile.TemporaryDirectory() as work:
                one = candidate(name, take, Path(work), options.size, options.views, options.crf)
                found.append(measure(one))
        print(f"{path.stem}: {len(listed)} films", file=sys.stderr)
    return found


def show(rows: Sequence[Sequence[str]]) -> None:
    """Print a table."""
    widths = [max(len(row[k]) for row in rows) for k in range(len(rows[0]))]
    for row in rows:
        print("  ".join(cell.ljust(w) for cell, w in zip(row, widths, strict=True)).rstrip())
    print()


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path)
    parser.add_argument("--clips", type=int, default=3)
    parser.add_argument("--views", type=int, default=2)
    parser.add_argument("--size", type=int, default=512)
    parser.add_argument("--crf", type=int, default=23)
    parser.add_argument("--speed", type=float, nargs="*", default=[0.002, 0.005, 0.01, 0.02])
    parser.add_argument("--store", type=Path)
    options = parser.parse_args()
    kept = options.store / "measured.jsonl" if options.store else None
    begun = time.process_time()
    found = (
        list(read_jsonl(kept, MeasuredObject))
        if kept and kept.exists()
        else measured(options.folder, options)
    )
    spent = time.process_time() - begun
    if kept and not kept.exists():
        write_jsonl(kept, found)
    compared = [
        Compared(m.asset, m.motion, np.array(m.true_steps)) for m in found if m.motion and m.true_steps
    ]
    print(f"{len(compared)} films of {len({c.asset for c in compared})} assets, {spent:.0f} CPU s\n")
    for speed in options.speed:
        print(f"truly moving from {speed:g} sizes a second on")
        show(agreement_rows(agreement(compared, least_speed=speed)))
    curation = decide(found, CurationSettings(most=0))
    show(curation_rows(curation))
    for gone in curation.dropped:
        print(f"{gone.stage:<10} {gone.name}: {gone.reason}")


if __name__ == "__main__":
    main()
