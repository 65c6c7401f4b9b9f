"""Edits to an actor: limbs taken away, parts in other colours.

color:hair=blue     the part "hair" is blue
exchange:hair=skin  two parts have each other's colours
remove:left leg 2   the limb is not there
paint:left leg=red  a limb is painted (see `fathom.scenes.paint`)
reverse             its clips play backwards (which the record's clips say; nothing is changed here)
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from fathom.assets.animated.library import AnimatedAsset
from fathom.assets.model import Material, Model, Part, Rgb
from fathom.assets.palette import BODY_COLORS
from fathom.records import DataError
from fathom.scenes.caps import caps_of, lost_of
from fathom.scenes.paint import PAINT, per_part, with_paint

REMOVE = "remove:"
"""How the edits begin that take a limb away."""


def edited(model: Model, edits: Sequence[str], asset: AnimatedAsset) -> Model:
    """Return the model of an asset with the edits made, in order. Raises DataError for unknown ones."""
    gone = []
    for edit in edits:
        what, _, value = edit.partition(":")
        if what == "color":
            part, _, color = value.partition("=")
            model = repainted(model, part, color)
        elif what == "exchange":
            model = _exchanged(model, *value.split("=", 1))
        elif what == "remove":
            gone.append(value)
        elif what not in ("reverse", PAINT):
            raise DataError(
                f"{model.name}: unknown edit {edit!r}; expected color:, exchange:, remove:, paint: or reverse"
            )
    model = with_paint(model, edits, asset)
    return _without(model, gone, asset, edits) if gone else model


def repainted(model: Model, part: str, color: str) -> Model:
    """Return the model with all parts of that name in a nameable colour; what is drawn on them stays."""
    if color not in BODY_COLORS:
        raise DataError(f"{model.name}: unknown color {color!r}; there are {', '.join(BODY_COLORS)}")
    rgb = BODY_COLORS[color]
    return replace(model, parts=tuple(_tinted(p, rgb) if p.name == part else p for p in model.parts))


def _tinted(part: Part, rgb: Rgb) -> Part:
    """Return the part in a colour; light and dark of its texture or vertex colours are kept."""
    m, colors, texture = part.material, part.vertex_colors, part.material.texture
    if colors is not None:
        light = colors.mean(axis=1)
        colors = np.repeat((light / max(float(light.mean()), 1e-3)).clip(0.5, 1.4)[:, None], 3, axis=1)
    if texture is not None:
        gray = texture[..., :3].astype(np.float64).mean(axis=2)
        share = (gray / max(float(gray.mean()), 1.0)).clip(0.4, 1.3)[..., None] / 1.3
        texture = np.broadcast_to(share * 255, (*gray.shape, 3)).astype(np.uint8)
        rgb = (min(rgb[0] * 1.3, 1.0), min(rgb[1] * 1.3, 1.0), min(rgb[2] * 1.3, 1.0))
    material = Material(m.name, rgb, 0.0, max(m.roughness, 0.5), 0.0, 0.0, texture)
    return replace(part, material=material, vertex_colors=colors)


def _exchanged(model: Model, one: str, other: str) -> Model:
    """Return the model with the materials of two parts exchanged, names aside."""
    first = {p.name: p.material for p in reversed(model.parts)}
    partner = {one: first[other], other: first[one]}
    parts = []
    for p in model.parts:
        m = partner.get(p.name)
        parts.append(p if m is None else replace(p, material=replace(m, name=p.material.name)))
    return replace(model, parts=tuple(parts))


def _without(model: Model, gone: Sequence[str], asset: AnimatedAsset, edits: Sequence[str]) -> Model:
    """Return the model without some limbs: their triangles go, and their vertices to where others are.

    The number of vertices stays, so that what says of vertices which limb they belong to still holds.
    """
    parts = []
    away = per_part(asset, edits, lost_of(asset, tuple(gone)))
    spot = next(p.vertices[~a][0] for p, a in zip(model.parts, away, strict=True) if not a.all())
    for p, a in zip(model.parts, away, strict=True):
        if not a.any():
            parts.append(p)
            continue
        kept = p.faces[~a[p.faces].any(axis=1)]
        vertices = np.where(a[:, None], p.vertices[~a][0] if not a.all() else spot, p.vertices)
        parts.append(replace(p, vertices=vertices, faces=np.ascontiguousarray(kept)))
    return replace(model, parts=_closed(parts, asset, tuple(gone)))


def _closed(parts: Sequence[Part], asset: AnimatedAsset, gone: tuple[str, ...]) -> tuple[Part, ...]:
    """Return parts from which limbs are gone with their holes closed, where they can be."""
    caps = caps_of(asset, gone)
    if caps is None:
        return tuple(parts)
    more = [*caps, *(np.zeros((0, 3), np.int32) for _ in parts[len(caps) :])]
    return tuple(
        replace(p, faces=np.ascontiguousarray(np.concatenate([p.faces, own]))) if len(own) else p
        for p, own in zip(parts, more, strict=True)
    )
