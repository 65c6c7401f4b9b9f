"""A sheet of one animated model for a person to look at: all around, and six moments of each clip."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from fathom.assets.animated.lexicon import Lexicon
from fathom.assets.animated.library import AnimatedAsset, asset_of
from fathom.assets.animated.manifest import AnimatedEntry, AnimatedManifest
from fathom.assets.model import Points
from fathom.curation.previews import drawn, face_colors, joined_faces, on_white, outermost
from fathom.geometry.views import fitted_orbit
from fathom.records import Camera

SHEETS = "fathom-cast-sheets"
"""The folder of the sheets, one an asset."""

_TILE, _COLUMNS, _LABEL, _MARGIN = 160, 6, 250, 20
_PAPER, _INK, _FAINT = (255, 255, 255), (28, 30, 33), (112, 117, 124)

Picture = NDArray[np.uint8]


@dataclass(frozen=True)
class FaceColors:
    """The triangles (m, 3) of an asset and their colours (m, 3): the same in all poses."""

    faces: NDArray[np.int64]
    colors: Points


def sheet_name(number: int, name: str) -> str:
    """Return where an asset's sheet lies, in signs that every file system takes."""
    return f"{SHEETS}/{number + 1:03d}-{re.sub(r'[^A-Za-z0-9._-]+', '_', name)[:60]}.png"


def sheet(folder: Path, entry: AnimatedEntry, lexicon: Lexicon) -> bytes:
    """Return a page of one asset: all around as it stands, and six moments of each clip."""
    from PIL import Image, ImageDraw, ImageFont

    from fathom.render.tone import png

    asset = asset_of(folder, entry, AnimatedManifest(name="proposed", assets=(entry,)))
    look = look_of(asset)
    shown = [c for c in entry.clips if not c.reason]
    rows = len(shown) + 1
    size = (_LABEL + _COLUMNS * _TILE + 2 * _MARGIN, rows * _TILE + 5 * _MARGIN)
    page = Image.new("RGB", size, _PAPER)
    draw = ImageDraw.Draw(page)
    title, font, small = (ImageFont.load_default(s) for s in (20, 14, 12))
    draw.text((_MARGIN, _MARGIN), f"{entry.name}: {entry.noun}, {entry.category}", _INK, title)
    top = 4 * _MARGIN
    draw.text((_MARGIN, top + 40), "as it stands", _INK, font)
    draw.text((_MARGIN, top + 62), f"front {entry.front}, {entry.size_m:g} m", _FAINT, small)
    for k, (picture, side) in enumerate(
        zip(around(asset, look, _TILE, 4), ("front", "left", "behind", "right"), strict=True)
    ):
        x = _MARGIN + _LABEL + k * _TILE
        page.paste(Image.fromarray(picture), (x, top))
        draw.text((x + _TILE / 2, top - 4), f"its {side}" if side != "behind" else side, _FAINT, small, "ms")
    for row, clip in enumerate(shown, 1):
        y = top + row * _TILE
        said = lexicon.verb(clip.verb).plain if clip.verb else "no verb: left out until it has one"
        draw.text((_MARGIN, y + 30), _short(clip.name, 32), _INK, font)
        draw.text((_MARGIN, y + 52), _short(f"{clip.verb}: {said}", 44) if clip.verb else said, _FAINT, small)
        times_done = "once" if clip.cycles == 1 else f"{clip.cycles} times"
        span = f"{clip.start_s:.2f} to {clip.end_s:.2f} s, {times_done}{', loops' if clip.loops else ''}"
        draw.text((_MARGIN, y + 70), span, _FAINT, small)
        times = np.linspace(clip.start_s, clip.end_s, _COLUMNS)
        for k, picture in enumerate(moments(asset, look, clip.name, times, _TILE)):
            page.paste(Image.fromarray(picture), (_MARGIN + _LABEL + k * _TILE, y))
    return png(np.asarray(page))


def _short(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[: most - 3].rstrip()}..."


def look_of(asset: AnimatedAsset) -> FaceColors:
    """Return what an asset looks like in all its poses."""
    parts = asset.model_at("", 0.0).parts
    return FaceColors(joined_faces(parts), face_colors(parts))


def around(asset: AnimatedAsset, look: FaceColors, side_px: int, views: int) -> list[Picture]:
    """Return the asset as it stands from its front and further sides, counter-clockwise from above."""
    poses = asset.vertices_at("", 0.0)[None]
    return [on_white(drawn(poses[0], look.faces, look.colors, c)) for c in _cameras(poses, views, side_px)]


def moments(
    asset: AnimatedAsset, look: FaceColors, clip: str, times_s: Points, side_px: int
) -> list[Picture]:
    """Return the asset at some times of a clip, from its front and a little from its left."""
    poses = asset.vertices_over(clip, times_s)
    camera = _cameras(poses, 8, side_px)[1]
    return [on_white(drawn(p, look.faces, look.colors, camera)) for p in poses]


def _cameras(poses: Points, views: int, side_px: int) -> tuple[Camera, ...]:
    """Return cameras that stand around all of some poses (k, n, 3)."""
    reach = outermost(np.concatenate([outermost(p) for p in poses]))
    return fitted_orbit(reach, math.radians(15), views, (side_px, side_px), math.radians(30), 0.04)
