"""Made-up films and assets."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction
from pathlib import Path

import av
import numpy as np
from numpy.typing import NDArray

from fathom.assets.model import Material, Part
from fathom.curation.measuring import PoolObject
from fathom.media.video import iter_frames, probe
from fathom.store.seeds import rng

Picture = NDArray[np.uint8]
Floats = NDArray[np.float64]
FPS = 12.0
RED, GREEN = (200, 40, 30), (40, 150, 60)


def picture(
    x: float, y: float = 60.0, side: int = 128, first: Sequence[int] = RED, second: Sequence[int] = GREEN
) -> Picture:
    """Return a square of two colours whose centre is at (x, y), before white; edges are smooth."""
    grid = np.arange(side) + 0.5
    inside = [np.clip(20.5 - np.abs(grid - c), 0, 1) for c in (x, y)]
    alpha = (inside[1][:, None] * inside[0][None, :])[..., None]
    color = np.where((grid[None, :, None] < x), np.array(first), np.array(second))
    return np.asarray(np.rint(255 * (1 - alpha) + color * alpha), dtype=np.uint8)


def places(*pieces: tuple[int, float], start: float = 40.0) -> list[float]:
    """Return where the square is, frame by frame: pieces are (steps, pixels a step)."""
    found = [start]
    for steps, px in pieces:
        for _ in range(steps):
            found.append(found[-1] + px)
    return found


def film(xs: Iterable[float], y: float = 60.0, **colors: Sequence[int]) -> Iterator[Picture]:
    """Yield one frame a place."""
    for x in xs:
        yield picture(x, y, **colors)  # type: ignore[arg-type]


def encoded(path: Path, frames: Iterable[Picture], crf: int = 23) -> Path:
    """Write frames as H.264 with a keyframe every 12 frames, and return the path."""
    with av.open(str(path), "w") as container:
        stream = container.add_stream("libx264", rate=Fraction(12), options={"crf": str(crf), "g": "12"})
        stream.pix_fmt = "yuv420p"
        for number, frame in enumerate(frames):
            if not number:
                stream.height, stream.width = frame.shape[:2]
            container.mux(stream.encode(av.VideoFrame.from_ndarray(frame, format="rgb24")))
        container.mux(stream.encode(None))
    return path


def blob(
    seed: str, rings: int = 24, color: tuple[float, float, float] = (0.7, 0.2, 0.1), bumps: float = 0.35
) -> Part:
    """Return a closed lump that is different for each seed."""
    draw = rng("blob", seed)
    waves = draw.normal(size=(5, 3))
    u, v = np.meshgrid(np.linspace(0, np.pi, rings), np.linspace(0, 2 * np.pi, 2 * rings), indexing="ij")
    ball = np.stack([np.sin(u) * np.cos(v), np.sin(u) * np.sin(v), np.cos(u)], axis=-1).reshape(-1, 3)
    radius = np.exp(bumps * np.sin(ball @ waves.T * 2).mean(axis=1) * 2)[:, None]
    stretch = np.array([1.0, 0.4 + 0.5 * draw.random(), 0.5 + draw.random()])
    faces = []
    across = 2 * rings
    for i in range(rings - 1):
        for j in range(across - 1):
            a = i * across + j
            faces += [(a, a + across, a + 1), (a + 1, a + across, a + across + 1)]
    return Part("lump", ball * radius * stretch, np.array(faces, np.int32), Material("skin", color))


def turned(part: Part, angle: float, scale: float) -> Part:
    """Return the same lump, turned about two axes, and of another size."""
    c, s = np.cos(angle), np.sin(angle)
    turn = np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]]) @ np.array([[1, 0, 0], [0, c, -s], [0, s, c]])
    return Part(part.name, part.vertices @ turn.T * scale + 3.0, part.faces[::-1].copy(), part.material)


def candidate(
    name: str,
    xs: Sequence[float],
    category: str = "animal",
    motions: tuple[str, ...] = ("walk",),
    part: Part | None = None,
    sequence: tuple[str, ...] = (),
    y: float = 60.0,
    called: Callable[[str], None] = lambda name: None,
    **colors: Sequence[int],
) -> PoolObject:
    """Return an object seen from two views, whose vertices go where the square goes."""

    def films() -> Iterator[Iterator[Picture]]:
        called(name)
        yield film(xs, y, **colors)
        yield film(xs, y + 4, **colors)

    corners = np.array([[0.0, 0, 0], [40, 0, 0], [40, 40, 0], [0, 40, 0]])
    return PoolObject(
        name=name,
        category=category,
        films=films,
        fps=FPS,
        motions=motions,
        asset=name.split("-")[0],
        sequence=sequence,
        parts=None if part is None else lambda: (part,),
        positions=lambda: (corners + np.array([x, 0, 0]) for x in xs),
        size=40.0,
    )


def frames_of(path: Path) -> Iterator[Picture]:
    """Yield the frames of a video file."""
    return (picture for _, picture in iter_frames(path, range(probe(path).frames)))
