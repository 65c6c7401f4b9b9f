"""Who comes into a room: how people are modelled who walk, stand, sit, lie, push or hold something.

person_of(layout, "woman", "walks")        # an object that stands nowhere yet
objects = told(objects)                    # their records say what they do
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import msgspec

from fathom.assets.furniture.catalogue import INDOORS, furniture_model, room_assets
from fathom.assets.sizes import drawn_size
from fathom.assets.spec import PERSON, AssetSpec
from fathom.records import SceneObject
from fathom.scenes.holding import offers
from fathom.scenes.pushing import pushes
from fathom.scenes.sitting import for_seats
from fathom.scenes.videos.furnishing_rooms import RoomLayout, Stand

DOES = {"walking": "walks", "standing": "stands", "seated": "sits"}
"""How the names of models begin → what they do, who need nothing for it."""

STRIDE = 1.3
"""By how much longer than wide somebody is who is seen with one foot well before the other."""


def told(objects: Sequence[SceneObject]) -> list[SceneObject]:
    """Return the objects of a room; what people do is among their attributes."""
    known = {n: spec for n, spec in room_assets(None).items() if spec.category == PERSON}
    out = []
    for obj in objects:
        spec = known.get(obj.asset.name)
        if spec is not None:
            obj = msgspec.structs.replace(obj, attributes={**obj.attributes, "does": does(spec)})
        out.append(obj)
    return out


def does(spec: AssetSpec) -> str:
    """Return what somebody does: walks, stands, sits on the floor or on something, lies, or pushes."""
    return "stands" if offers(spec) else pose_of(spec)


def pose_of(spec: AssetSpec) -> str:
    """Return what somebody does as they are modelled: who holds something stands in a way of their own."""
    told_by: tuple[tuple[Callable[[AssetSpec], bool], str], ...] = (
        (_lies, "lies"),
        (offers, "holds"),
        (pushes, "pushes"),
        (for_seats, "seated"),
    )
    return next((way for so, way in told_by if so(spec)), "") or DOES[spec.name.split()[0]]


def _lies(spec: AssetSpec) -> bool:
    return spec.lies


def person_of(layout: RoomLayout, looks: str, way: str) -> Stand:
    """Return somebody who is called so, as they are modelled who do so; their size and clothes are drawn."""
    every = {**INDOORS, **room_assets(None)}.values()
    named = [s for s in every if s.category == PERSON and s.noun == looks]
    kinds = [s for s in named if pose_of(s) == way and (way != "walks" or _strides(s))]
    return _drawn(layout, kinds[int(layout.g.integers(len(kinds)))])


def _strides(asset: AssetSpec) -> bool:
    """Return whether somebody is seen with one foot well before the other."""
    long, wide, _ = furniture_model(asset).extents
    return long >= STRIDE * wide


def _drawn(layout: RoomLayout, asset: AssetSpec) -> Stand:
    g = layout.g
    color = asset.colors[int(g.integers(len(asset.colors)))] if asset.colors else ""
    size = drawn_size(g, furniture_model(asset).extents, asset.varies, layout.spread)
    return Stand(asset, color, size, (0.0, 0.0, 0.0), 0.0)
