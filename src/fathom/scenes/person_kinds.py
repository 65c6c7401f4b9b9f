"""Who comes into a pictured room: people who walk, stand, sit, lie, push or hold something.

person_of(layout, "woman", "walks")        # an object that stands nowhere yet
objects = told(objects)                    # their records say what they do
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from fathom.assets.acting.figures import Figure, figures
from fathom.assets.furniture.catalogue import furniture_model
from fathom.assets.sizes import drawn_size
from fathom.records import SceneObject
from fathom.scenes.videos.furnishing_rooms import RoomLayout, Stand

SEEN_AS = {"holds": "stands"}
"""What people do → what is told of it: whether a hand is empty is another question."""


def told(objects: Sequence[SceneObject]) -> list[SceneObject]:
    """Return the objects of a room; what people do is among their attributes."""
    out = []
    for obj in objects:
        spec = figures().get(obj.asset.name)
        if spec is not None:
            does = SEEN_AS.get(spec.does, spec.does)
            obj = msgspec.structs.replace(obj, attributes={**obj.attributes, "does": does})
        out.append(obj)
    return out


def person_of(layout: RoomLayout, looks: str, way: str) -> Stand:
    """Return somebody who is called so, in a posture in which people do so; size and clothes are drawn."""
    kinds = [s for s in figures().values() if s.noun == looks and s.does == way]
    return _drawn(layout, kinds[int(layout.g.integers(len(kinds)))])


def _drawn(layout: RoomLayout, figure: Figure) -> Stand:
    g = layout.g
    color = figure.colors[int(g.integers(len(figure.colors)))]
    size = drawn_size(g, furniture_model(figure).extents, figure.varies, layout.spread)
    return Stand(figure, color, size, (0.0, 0.0, 0.0), 0.0)
