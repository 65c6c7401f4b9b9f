"""Made-up sights: what the frames that are shown would let one see, if objects were the boxes around them."""

from __future__ import annotations

import numpy as np

from fathom.geometry.box_gaps import corners_m
from fathom.media.sampling import linspace
from fathom.programs.views.video import video_view
from fathom.questions.contexts.video_visibility import Sights
from fathom.records import Scene
from tests.tracks.worlds import FPS, level_view, obj, pose, upright, video

CELL, FILLED = 4, 0.6
"""Rectangles are laid over one another on a grid of so many pixels; a thing fills such a share of its own."""


def projected(scene: Scene, shown: int = 30) -> Sights:
    """Sights in which each object covers most of the rectangle around its box, the nearer ones in front."""
    tracks = video_view(scene)
    camera = scene.cameras[0]
    frames = linspace(tracks.frames, shown)
    count, rows, columns = len(tracks.objects), camera.height // CELL, camera.width // CELL
    visible = np.zeros((count, len(frames)), dtype=np.int64)
    full = np.zeros_like(visible)
    depth = np.full(visible.shape, np.nan)
    asked = [k for k in range(count) if not tracks.stands[k]]
    for g, f in enumerate(frames):
        ids = np.full((rows, columns), -1)
        found = []
        for k in asked:
            box = corners_m(tracks.centres_m[k, f][None], tracks.rotations[k, f][None], tracks.sizes_m[k])[0]
            local = (box - tracks.eyes_m[f]) @ tracks.views[f]
            if local[:, 2].min() > 0.05 and tracks.valid[k, f]:
                x = camera.fx * local[:, 0] / local[:, 2] + camera.cx
                y = camera.fy * local[:, 1] / local[:, 2] + camera.cy
                away = float(np.linalg.norm(tracks.centres_m[k, f] - tracks.eyes_m[f]))
                found.append((away, k, x.min(), y.min(), x.max(), y.max(), float(local[:, 2].mean())))
        for _, k, x0, y0, x1, y1, z in sorted(found, reverse=True):
            full[k, g] = int((x1 - x0) * (y1 - y0) * FILLED)
            depth[k, g] = z
            left, top, right, bottom = (max(0, round(v / CELL)) for v in (x0, y0, x1, y1))
            ids[top:bottom, left:right] = k
        covered = np.bincount(ids[ids >= 0], minlength=count) * CELL * CELL * FILLED
        visible[:, g] = np.minimum(covered.astype(np.int64), full[:, g])
    depth[visible == 0] = np.nan
    return Sights(scene.id, tracks.objects, frames, visible, full, depth)


def street() -> Scene:
    """A camera on a car that turns, a van ahead, a car that overtakes, and what stands beside the road."""
    times = np.arange(300) / FPS
    turned = np.radians(np.clip((times - 3) / 4, 0, 1) * 35.0)
    steps = np.stack([np.cos(turned), np.sin(turned)], axis=1) * (7.0 + 0.4 * times)[:, None] / FPS
    way = [(float(x), float(y), float(a)) for (x, y), a in zip(np.cumsum(steps, axis=0), turned, strict=True)]
    camera = [pose((x, y, 1.6), level_view(a)) for x, y, a in way]
    ahead = [
        pose((x + 14 + 0.3 * t, y + t, 0.0), upright(a)) for (x, y, a), t in zip(way, times, strict=True)
    ]
    beside = [
        pose((x + 9 + 1.1 * t, y + 4, 0.0), upright(a)) for (x, y, a), t in zip(way, times, strict=True)
    ]
    objects = [
        obj("van", ahead, "van", "white", (4.9, 2.0, 2.1)),
        obj("car", beside, "car", "red", (4.3, 1.8, 1.5)),
        obj("parked", (75.0, 6.0, 0.0), "truck", "blue", (7.2, 2.5, 3.1)),
        obj("sign", (60.0, 24.0, 0.0), "sign", "", (0.3, 0.9, 2.6)),
        obj("walker", (66.0, 12.0, 0.0), "pedestrian", "", (0.4, 0.6, 1.75)),
        obj("road", (40.0, 0.0, -0.1), "road", "", (200.0, 60.0, 0.1), category="structure"),
    ]  # fmt: skip
    return video(objects, camera, setting="outdoor")
