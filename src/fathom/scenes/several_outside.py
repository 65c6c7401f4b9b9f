"""Several objects of a noun on the pavements or at the kerbs of a pictured street, each clear in the picture.

objects = several_in_view(g, objects, camera, assets)

How many there are to be is drawn first. Each is put where all of it is seen, and where the rectangle around
it in the picture is clear of those around the others. Cars at a kerb stand before one another, and trees are
cut by the edges of the picture: of these most is seen; and all others of the kind are taken away, since some
would be far off, or half hidden, and nobody could say whether they count.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from fathom.assets.street.catalogue import StreetAssets
from fathom.geometry.poses import Array, heading_rad
from fathom.programs.synonyms import confused, counted_among, taken_for
from fathom.records import Camera, SceneObject
from fathom.scenes.estimated_views import EDGE, corners_of, middles_of, rectangle_px, shown
from fathom.scenes.several_alike import apart_in_picture, large_in_picture
from fathom.scenes.videos.audit import STRUCTURE
from fathom.scenes.videos.bodies import OPEN
from fathom.scenes.videos.boxes import Size, apart_m, boxes_at, joined_boxes
from fathom.scenes.videos.cameras import framed
from fathom.scenes.videos.furnishing_rooms import Stand
from fathom.scenes.videos.roadside import Stood
from fathom.scenes.videos.street_surfaces import parked_m
from fathom.scenes.videos.streets import Kerb, Street, street_of
from fathom.scenes.videos.streetscape import STREET, standing_object

LOW = (
    "cone",
    "bollard",
    "planter",
    "bin",
    "bench",
    "hydrant",
    "post box",
    "barrier",
    "stander a",
    "stander b",
)
"""What there are several of on pavements."""

KINDS = (*LOW, *["sedan"] * 2, *["wagon"] * 2, "broad tree", "tall tree", "parking sign")
"""What there are several of, each as likely to be tried first as it is often named."""

NOUNS = (
    "traffic cone", "bollard", "planter", "rubbish bin", "bench", "fire hydrant", "post box", "barrier",
    "pedestrian", "car", "tree", "parking sign",
)  # fmt: skip

FEWEST, MOST, TRIED, PLACES, WIDE_PLACES = 2, 7, 7, 900, 500
"""So many there are to be; so many kinds are tried, and so many places of each, of large ones fewer."""


@dataclass(frozen=True)
class Row:
    """How several objects of a kind stand along a street.

    away_m : how far from the camera, from and to
    behind_m : how far behind the kerb, from and to, and no farther than the pavement is wide
    apart_m : how far from one another
    shows : which share of each shows at least; where it is not all, rectangles in the picture may overlap
    parked : they stand at the kerb, where cars may
    faces : they face the camera, more or less
    instead : all others that may be called so are taken away
    """

    away_m: tuple[float, float] = (5.0, 24.0)
    behind_m: tuple[float, float] = (0.5, 99.0)
    apart_m: float = 0.35
    shows: float = 1.0
    parked: bool = False
    faces: bool = False
    instead: bool = False


ON_ROAD = Row(behind_m=(-5.5, 99.0))
PARKED = Row(away_m=(6.5, 34.0), apart_m=1.4, shows=0.45, parked=True, instead=True)
TREES = Row(away_m=(10.0, 45.0), behind_m=(0.9, 1.6), apart_m=0.5, shows=0.5, instead=True)
SIGNS = Row(away_m=(5.0, 16.0), behind_m=(0.4, 2.0), apart_m=0.5, shows=0.75, faces=True, instead=True)

ROWS = {
    "cone": ON_ROAD, "barrier": ON_ROAD, "sedan": PARKED, "wagon": PARKED, "broad tree": TREES,
    "tall tree": TREES, "parking sign": SIGNS,
}  # fmt: skip
"""Kind → how it stands, where it is not simply on the pavement."""

ABOUT = 0.15
"""So far beyond the edges of the picture, ÷ its sides, nothing is called like what is put there."""

EDGE_M, ROOM_M, AT_KERB_M = 0.5, 0.35, 0.25
"""How far what stands there is from the edges of a pavement, from all else, and from the kerb if parked."""

LONG_M = 5.0
"""How long a car is that is parked."""

GRID = np.concatenate([np.zeros((1, 3)), np.stack(np.meshgrid(*[(-0.8, 0.8)] * 3), axis=-1).reshape(-1, 3)])
"""(9, 3) places in a box, ÷ half its sides, the middle first."""


def several_in_view(
    g: np.random.Generator,
    objects: Sequence[SceneObject],
    camera: Camera,
    assets: StreetAssets,
    kinds: Sequence[str] = KINDS,
) -> tuple[SceneObject, ...]:
    """Return the objects of a street with several of one noun among them, each of which the picture shows; as
    many as were drawn, or as find room.
    """
    number = int(g.integers(FEWEST, MOST + 1))
    best, left = _Standing([], []), tuple(objects)
    for kind in (kinds[int(k)] for k in g.permutation(len(kinds))[:TRIED]):
        row, noun = ROWS.get(kind, Row()), assets.asset(kind).noun
        rest = tuple(o for o in objects if not (row.instead and _like(noun, o)))
        if noun not in NOUNS or any(_like(noun, o) and _in_view(o, camera) for o in rest):
            continue
        found = _stood(g, rest, camera, assets, (kind, row), number)
        if len(found.stood) > len(best.stood):
            best, left = found, rest
        if len(best.stood) == number:
            break
    return (*left, *(standing_object(f"several{k}", s, assets) for k, s in enumerate(best.stood)))


def _like(noun: str, obj: SceneObject) -> bool:
    """Return whether somebody might count an object among those of a noun."""
    own = obj.attributes.get("name", "")
    like = confused(noun, own) or taken_for(noun, own) or counted_among(noun, own)
    return obj.category != STRUCTURE and like


def _in_view(obj: SceneObject, camera: Camera) -> bool:
    """Return whether an object is in the picture, or just beyond its edges."""
    middle = np.add(obj.poses[0].position_m, (0.0, 0.0, obj.size_m[2] / 2))
    return bool(framed(camera, middle[None], -ABOUT)[0, 0])


@dataclass(frozen=True)
class _Standing:
    """Objects of one kind that found room, as they stand there and as boxes."""

    stood: list[Stood]
    boxes: list[Stand]


def _stood(
    g: np.random.Generator,
    objects: Sequence[SceneObject],
    camera: Camera,
    assets: StreetAssets,
    what: tuple[str, Row],
    number: int,
) -> _Standing:
    """Return up to so many objects of a kind where each of them is seen."""
    kind, row = what
    others = [_as_stand(o, assets, kind) for o in objects if o.id != STREET and not _open(o)]
    words = [_as_stand(o, assets, kind) for o in objects if o.category == "lettering"]
    boxes = joined_boxes([s.box for s in others])
    found = _Standing([], [])
    street = street_of(objects[0].asset.edits)
    for at, heading in _places(g, street, camera, row):
        size = assets.size(g, kind)
        place = _beside_kerb(at, heading, size) if row.parked else (float(at[0]), float(at[1]))
        one = Stand(assets.asset(kind), "", size, (*place, 0.0), heading)
        around = boxes_at((size[0], size[1], 3.0), np.array([one.place_m]), np.array([heading]))
        if (apart_m(around.corners, boxes.corners) < ROOM_M).any():
            continue
        if any((apart_m(one.box.corners, t.box.corners) < row.apart_m).any() for t in found.boxes):
            continue
        clear = _all_clear if row.shows == 1.0 else partial(_mostly_clear, shows=row.shows)
        if not clear(one, others, found.boxes, camera) or not _shows(words, [one], camera, 1.0):
            continue
        color, stem = assets.color(g, kind), assets.stem(kind, size)
        found.stood.append(Stood(kind, size, color, place, heading, stem=stem))
        found.boxes.append(one)
        if len(found.stood) == number:
            break
    return found


def _places(g: np.random.Generator, street: Street, camera: Camera, row: Row) -> list[tuple[Array, float]]:
    """Return places (2,) before a camera where a row may stand, each with a heading, by chance."""
    eye = np.array(camera.poses[0].position_m[:2])
    kerbs = street.kerbs()
    found = []
    places = PLACES if row.shows == 1.0 else WIDE_PLACES
    for _ in range(places if street.parking_m or not row.parked else 0):
        at, heading = _at_kerb(g, street, eye, row) if row.parked else _behind(g, street, kerbs, eye, row)
        inside = framed(camera, np.array([[*at, 0.5]]), EDGE)[0, 0]
        if inside and row.away_m[0] <= float(np.linalg.norm(at - eye)) <= row.away_m[1]:
            found.append((at, math.remainder(heading, 2 * math.pi)))
    return found


def _behind(
    g: np.random.Generator, street: Street, kerbs: Sequence[Kerb], eye: Array, row: Row
) -> tuple[Array, float]:
    """Return a place behind a kerb, or before it, and the direction to the road; or that to the camera, along
    the kerb.
    """
    kerb = kerbs[int(g.integers(len(kerbs)))]
    far = row.away_m[1]
    along = float(np.clip(kerb.way.nearest(eye) + g.uniform(-far, far), kerb.first_m, kerb.last_m))
    first, last = row.behind_m
    at, way = kerb.behind(along, float(g.uniform(first, min(last, street.pavement_m - EDGE_M))))
    if row.faces:
        off = eye - np.asarray(at)
        ahead = math.cos(float(way)) * off[0] + math.sin(float(way)) * off[1]
        return np.asarray(at), float(way) + (0.0 if ahead > 0 else math.pi)
    return np.asarray(at), float(way) - kerb.side * math.pi / 2


def _at_kerb(g: np.random.Generator, street: Street, eye: Array, row: Row) -> tuple[Array, float]:
    """Return a place on a kerb at which cars may stand, which is to their right, and their heading."""
    rows, near, far = parked_m(street), street.main.nearest(eye), row.away_m[1]
    first, last = rows[int(g.integers(len(rows)))] if rows else (near, near)
    side = -1 if g.random() < 0.5 else 1
    along = float(np.clip(near + g.uniform(-far, far), first + LONG_M / 2, max(last - LONG_M / 2, first)))
    at, way = street.main.beside(along, side * street.kerb_m)
    return np.asarray(at), float(way) + (math.pi if side > 0 else 0.0)


def _beside_kerb(at: Array, heading: float, size: Size) -> tuple[float, float]:
    """Return where something is parked at a place on a kerb to its right."""
    off = AT_KERB_M + size[1] / 2
    return float(at[0]) - math.sin(heading) * off, float(at[1]) + math.cos(heading) * off


def _all_clear(one: Stand, others: Sequence[Stand], taken: Sequence[Stand], camera: Camera) -> bool:
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


def _mostly_clear(
    one: Stand, others: Sequence[Stand], taken: Sequence[Stand], camera: Camera, shows: float
) -> bool:
    """Return whether such a share of an object is in the picture with nothing before it, and still of those
    that stand there already.
    """
    every = [*taken, one]
    if not shown([one], [*others, *taken], camera).all():
        return False
    return _shows([one], [*others, *every], camera, shows) and _shows(every, [*others, *every], camera, shows)


def _shows(those: Sequence[Stand], others: Sequence[Stand], camera: Camera, share: float) -> bool:
    """Return whether such a share of each of some objects is in the picture with no other box before it."""
    for one in those:
        points = middles_of([one]) + GRID * np.array(one.size_m) / 2 @ _turned(one.heading_rad)
        parts = [Stand(one.asset, "", (0.01, 0.01, 0.01), tuple(at), 0.0) for at in points]
        if shown(parts, [o for o in others if o is not one], camera).mean() < share:
            return False
    return True


def _turned(heading: float) -> Array:
    """Return the matrix (3, 3) that turns rows by a heading."""
    c, s = math.cos(heading), math.sin(heading)
    return np.array([[c, s, 0.0], [-s, c, 0.0], [0.0, 0.0, 1.0]])


def _open(obj: SceneObject) -> bool:
    return any(obj.attributes.get(key) == value for key, value in OPEN.items())


def _as_stand(obj: SceneObject, assets: StreetAssets, kind: str) -> Stand:
    """Return an object as a box that hides; of what asset it is does not matter."""
    x, y, z = obj.poses[0].position_m
    return Stand(assets.asset(kind), "", obj.size_m, (x, y, z), heading_rad(obj.poses[0]))
