"""Several objects of a noun on the pavements of a pictured street, each of them clear in the picture.

objects += several_in_view(g, objects, camera, assets)

How many there are to be is drawn first. Each is put where all of it is seen, and where the rectangle around
it in the picture is clear of those around the others.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from fathom.assets.street.catalogue import StreetAssets
from fathom.geometry.poses import Array, heading_rad
from fathom.programs.synonyms import taken_for
from fathom.records import Camera, SceneObject
from fathom.scenes.estimated_views import EDGE, corners_of, rectangle_px, shown
from fathom.scenes.several_alike import apart_in_picture, large_in_picture
from fathom.scenes.videos.bodies import OPEN
from fathom.scenes.videos.boxes import apart_m, boxes_at, joined_boxes
from fathom.scenes.videos.cameras import framed
from fathom.scenes.videos.furnishing_rooms import Stand
from fathom.scenes.videos.roadside import Stood
from fathom.scenes.videos.streets import street_of
from fathom.scenes.videos.streetscape import STREET, standing_object

KINDS = (
    "cone", "bollard", "planter", "bin", "bench", "hydrant", "post box", "barrier", "stander a", "stander b",
)  # fmt: skip
"""What there are several of."""

NOUNS = (
    "traffic cone",
    "bollard",
    "planter",
    "bin",
    "bench",
    "fire hydrant",
    "post box",
    "barrier",
    "pedestrian",
)

FEWEST, MOST, TRIED, PLACES = 2, 7, 4, 500
"""So many there are to be; so many kinds are tried, and so many places of each."""

ON_ROAD, ROAD_M = ("cone", "barrier"), 5.5
"""What may stand on the road, too, and how far from its edge."""

ABOUT = 0.15
"""So far beyond the edges of the picture, ÷ its sides, nothing is called like what is put there."""

NEAR_M, FAR_M, KERB_M, ROOM_M = 5.0, 24.0, 0.5, 0.35
"""How far from the camera they are, how far from the edges of a pavement, and from all else."""


def several_in_view(
    g: np.random.Generator, objects: Sequence[SceneObject], camera: Camera, assets: StreetAssets
) -> tuple[SceneObject, ...]:
    """Return several objects of one noun, all of each in the picture with nothing before it; as many as were
    drawn, or as find room.
    """
    number = int(g.integers(FEWEST, MOST + 1))
    ahead = np.array([framed(camera, _middle(o)[None], -ABOUT)[0, 0] for o in objects])
    there = {o.attributes.get("name", "") for o, seen in zip(objects, ahead, strict=True) if seen}
    best: list[Stood] = []
    for kind in (KINDS[int(k)] for k in g.permutation(len(KINDS))[:TRIED]):
        noun = assets.asset(kind).noun
        if noun not in NOUNS or any(noun == own or taken_for(noun, own) for own in there):
            continue
        best = max(best, _stood(g, objects, camera, assets, kind, number), key=len)
        if len(best) == number:
            break
    return tuple(standing_object(f"several{k}", s, assets) for k, s in enumerate(best))


def _stood(
    g: np.random.Generator,
    objects: Sequence[SceneObject],
    camera: Camera,
    assets: StreetAssets,
    kind: str,
    number: int,
) -> list[Stood]:
    """Return up to so many objects of a kind where all of them are seen."""
    others = [_as_stand(o, assets, kind) for o in objects if o.id != STREET and not _open(o)]
    boxes = joined_boxes([s.box for s in others])
    found: list[Stood] = []
    taken: list[Stand] = []
    for at, heading in _places(g, objects, camera, kind in ON_ROAD):
        size = assets.size(g, kind)
        one = Stand(assets.asset(kind), "", size, (float(at[0]), float(at[1]), 0.0), heading)
        around = boxes_at((size[0], size[1], 3.0), np.array([one.place_m]), np.array([heading]))
        if (apart_m(around.corners, boxes.corners) < ROOM_M).any():
            continue
        if any((apart_m(one.box.corners, t.box.corners) < ROOM_M).any() for t in taken):
            continue
        if not _clear(one, others, taken, camera):
            continue
        found.append(Stood(kind, size, assets.color(g, kind), (one.place_m[0], one.place_m[1]), heading))
        taken.append(one)
        if len(found) == number:
            break
    return found


def _places(
    g: np.random.Generator, objects: Sequence[SceneObject], camera: Camera, road: bool
) -> list[tuple[Array, float]]:
    """Return places (2,) on the pavements before a camera, or on the road, too, each with a heading along the
    kerb, by chance.
    """
    street = street_of(objects[0].asset.edits)
    eye = np.array(camera.poses[0].position_m[:2])
    found = []
    for _ in range(PLACES):
        kerb = street.kerbs()[int(g.integers(len(street.kerbs())))]
        near = kerb.way.nearest(eye)
        along = float(np.clip(near + g.uniform(-FAR_M, FAR_M), kerb.first_m, kerb.last_m))
        at, way = kerb.behind(
            along, float(g.uniform(-ROAD_M if road else KERB_M, street.pavement_m - KERB_M))
        )
        inside = framed(camera, np.array([[*at, 0.5]]), EDGE)[0, 0]
        if inside and NEAR_M <= float(np.linalg.norm(at - eye)) <= FAR_M:
            found.append((np.asarray(at), math.remainder(float(way) - kerb.side * math.pi / 2, 2 * math.pi)))
    return found


def _clear(one: Stand, others: Sequence[Stand], taken: Sequence[Stand], camera: Camera) -> bool:
    """Return whether all of an object is in the picture, large enough, with nothing before it, and beside the
    rectangles of others.
    """
    if not framed(camera, corners_of(one), EDGE / 2).all():
        return False
    own = rectangle_px(one, camera)
    if not large_in_picture(own) or not all(apart_in_picture(own, rectangle_px(t, camera)) for t in taken):
        return False
    parts = [Stand(one.asset, "", (0.01, 0.01, 0.01), tuple(at), 0.0) for at in corners_of(one)]
    return bool(shown(parts, others, camera).all())


def _middle(obj: SceneObject) -> Array:
    return np.add(obj.poses[0].position_m, (0.0, 0.0, obj.size_m[2] / 2))


def _open(obj: SceneObject) -> bool:
    return any(obj.attributes.get(key) == value for key, value in OPEN.items())


def _as_stand(obj: SceneObject, assets: StreetAssets, kind: str) -> Stand:
    """Return an object as a box that hides; of what asset it is does not matter."""
    x, y, z = obj.poses[0].position_m
    return Stand(assets.asset(kind), "", obj.size_m, (x, y, z), heading_rad(obj.poses[0]))
