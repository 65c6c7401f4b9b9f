"""A stretch of a street at one moment, as a place in which objects can be seen, moved and turned.

layout = street_moment(g, 17, "0", Viewpoints(), outdoor_library, room_library)
layout.stands     # vehicles, what stands on pavements, people and animals

The street is one of those of videos at their beginning (`videos/outdoor`), some tens of metres of it: of what
has the same name and colour one is left. Who is on foot is at one moment of a clip, as in rooms.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import lru_cache

import msgspec
import numpy as np

from fathom.assets.furniture.catalogue import furniture_model, room_assets
from fathom.assets.furniture.living import Posed
from fathom.assets.libraries import Library
from fathom.assets.model import Model
from fathom.assets.sizes import drawn_size
from fathom.assets.spec import PERSON, AssetSpec
from fathom.assets.street.catalogue import street_assets
from fathom.geometry.poses import Array, heading_rad
from fathom.programs.synonyms import colors_confused, confused
from fathom.records import Environment, Scene, SceneObject, UnfitError
from fathom.scenes.videos.audit import STRUCTURE
from fathom.scenes.videos.bodies import bodies_at, stem_said
from fathom.scenes.videos.boxes import Boxes, above_m, apart_m, joined_boxes
from fathom.scenes.videos.furnishing_rooms import Stand
from fathom.scenes.videos.indoor_objects import model_of as posed_object_model
from fathom.scenes.videos.indoor_objects import stood_object
from fathom.scenes.videos.outdoor import Outdoor, draw_outdoor
from fathom.scenes.videos.streets import Street, street_of
from fathom.scenes.videos.streetscape import BUILT, STREET
from fathom.scenes.videos.streetscape import model_of as street_object_model

MOMENT = Outdoor(
    seconds=1.0, fps=10.0, stories=("cruise", "follow", "halt", "go"), vehicles=(4, 9), people=(0, 0)
)
"""The video of which the first moment is taken; nobody is on foot there yet."""

FILLED_M = (72.0, 110.0)
"""Between which lengths of its main road a street has most that stands there."""

NEAR_M, FAR_M = 30.0, 95.0
"""How far from the middle of the stretch objects are at most, and buildings."""

ROOM_M = 0.3
"""How far objects keep from one another at least."""

CLOSE_M, KERB_M = (0.32, 0.5), 0.5
"""How far somebody is from what they stand close to, and from the kerb."""

FOOT_M = 6.0
"""How far along the street from its middle people are put at most."""

TRIES = 30

VEHICLES = frozenset({"car", "van", "truck", "bus", "motorcycle", "cyclist"})
"""The categories of what drives or is parked."""

ON_FOOT = (PERSON, "animal")
"""The categories of who is in the street on foot."""


@dataclass(frozen=True, eq=False)
class StreetLayout:
    """A stretch of a street.

    street : what the ground is like
    middle_m : where the middle of the stretch is along its main road
    structure : the ground and the buildings, which no question names
    stands, objects : what can be asked about, and the record of each of them
    bodies : the boxes that each of `stands` takes up: one, or a stem and a crown
    environment : the sky
    """

    street: Street
    middle_m: float
    structure: tuple[SceneObject, ...]
    environment: Environment
    stands: list[Stand] = field(default_factory=list)
    objects: tuple[SceneObject, ...] = ()

    @property
    def hides(self) -> list[Stand]:
        """What hides what is behind it, as boxes: of trees and lamps the stem and the crown."""
        own = (b for s, o in zip(self.stands, self.objects, strict=True) for b in _bodies(s, o))
        return [*own, *(_stand_of(o, _PLAIN) for o in self.structure if o.id != STREET)]

    def with_stands(self, stands: list[Stand]) -> StreetLayout:
        """Return the street with the same objects elsewhere."""
        return replace(self, stands=stands)

    def boxes_but(self, k: int = -1) -> Boxes:
        """Return the boxes (n,) that all but one of the objects, and the buildings, take up."""
        others = [o for o in self.structure if o.id != STREET]
        rest = [(s, o) for i, (s, o) in enumerate(zip(self.stands, self.objects, strict=True)) if i != k]
        found = [_stand_of(o, _PLAIN).box for o in others]
        for stand, obj in rest:
            place, turn = np.array([stand.place_m]), np.array([stand.heading_rad])
            found += bodies_at(stand.size_m, stem_said(obj.attributes), place, turn)
        return joined_boxes(found)

    def free(self, stand: Stand, but: int = -1, room_m: float = ROOM_M) -> bool:
        """Return whether an object would be clear of all others but one."""
        there = self.boxes_but(but)
        apart = (apart_m(stand.box.corners, there.corners) >= room_m) | (above_m(stand.box, there) >= 0)
        return bool(apart.all())


_PLAIN = AssetSpec(file="", category="", subtype="", noun="", has_front=False)


def _stand_of(obj: SceneObject, asset: AssetSpec) -> Stand:
    """Return a record as an object that stands there."""
    pose, color = obj.poses[0], obj.attributes.get("color", "")
    return Stand(asset, color, obj.size_m, pose.position_m, heading_rad(pose))


def _bodies(stand: Stand, obj: SceneObject) -> Iterator[Stand]:
    """Yield the boxes of an object as objects: itself, or its stem and its crown."""
    stem = stem_said(obj.attributes)
    if stem is None:
        yield stand
        return
    wide, high, before = stem
    x, y = stand.ahead(before)
    yield replace(stand, size_m=(wide, wide, high), place_m=(float(x), float(y), 0.0))
    long, broad, top = stand.size_m
    yield replace(stand, size_m=(long, broad, top - high), place_m=(*stand.place_m[:2], high))


def street_moment(
    g: np.random.Generator, world: tuple[int, str, int], on_foot: int, outdoors: Library | None,
    indoors: Library | None,
) -> StreetLayout:  # fmt: skip
    """Return a stretch of a street; `world` names it: its number, the seed, and which attempt it is.

    `outdoors` is what streets are drawn from beside the built-in set, `indoors` what rooms are, of which
    people and animals are taken. Raises UnfitError where a street cannot be drawn.
    """
    index, seed, attempt = world
    scene = draw_outdoor(index, f"{seed} {attempt}", MOMENT, outdoors)
    ground = next((o for o in scene.objects if o.id == STREET), None)
    if ground is None or scene.environment is None:
        raise UnfitError(f"street {index}: its world has no ground")
    street, middle = street_of(ground.asset.edits), float(g.uniform(*FILLED_M))
    structure, loose = _around(scene, np.asarray(street.main.at(middle)[0]))
    assets = street_assets(outdoors)
    stands = [_stand_of(o, assets.asset(o.asset.name.removeprefix(BUILT))) for o in loose]
    layout = StreetLayout(street, middle, (ground, *structure), scene.environment, stands, tuple(loose))
    return _peopled(g, layout, on_foot, indoors)


def _around(scene: Scene, middle: Array) -> tuple[list[SceneObject], list[SceneObject]]:
    """Return the buildings around a place, and what else is near it: the nearest of each name and colour."""

    def away(obj: SceneObject) -> float:
        return float(np.linalg.norm(np.subtract(obj.poses[0].position_m[:2], middle)))

    still = [_still(o) for o in scene.objects if o.id != STREET and away(o) <= FAR_M]
    buildings = [o for o in still if o.category == STRUCTURE]
    found: dict[tuple[str, str], SceneObject] = {}
    repeated = []
    for obj in sorted((o for o in still if o.category != STRUCTURE and away(o) <= NEAR_M), key=away):
        if obj.category in ("tree", "street lamp"):
            repeated.append(obj)
        elif obj.category != "pedestrian":
            name, color = obj.attributes["name"], obj.attributes["color"]
            if not any(confused(name, n) and (not color or colors_confused(color, c)) for n, c in found):
                found[name, color] = obj
    return buildings, [*found.values(), *repeated]


def _still(obj: SceneObject) -> SceneObject:
    """Return an object as it is at the first moment."""
    still: SceneObject = msgspec.structs.replace(obj, poses=obj.poses[:1])
    return still


def _peopled(
    g: np.random.Generator, layout: StreetLayout, count: int, indoors: Library | None
) -> StreetLayout:
    """Return a street with so many people and animals on its pavements, where there is room; no two are
    called alike.
    """
    kinds = [a for a in room_assets(indoors).values() if isinstance(a, Posed) and a.category in ON_FOOT]
    kinds.sort(key=lambda a: a.asset)
    people = [a for a in kinds if a.category == PERSON]
    others = [a for a in kinds if a.category != PERSON]
    taken: list[tuple[str, str]] = []
    for k in range(count):
        some = (others if k == count - 1 else people) or kinds
        kind = some[int(g.integers(len(some)))]
        color = kind.colors[int(g.integers(len(kind.colors)))] if kind.colors else kind.color
        if any(confused(kind.noun, n) and colors_confused(color, c) for n, c in taken):
            continue
        size = drawn_size(g, furniture_model(kind).extents, kind.varies, 1.0)
        stand = Stand(_told(kind), color, size, (0.0, 0.0, 0.0), 0.0)
        put = next((s for s in _on_pavements(g, layout, stand) if layout.free(s)), None)
        if put is not None:
            taken.append((kind.noun, color))
            obj = stood_object(f"thing{len(layout.stands)}", put, "ground")
            layout = replace(layout, stands=[*layout.stands, put], objects=(*layout.objects, obj))
    return layout


@lru_cache(maxsize=256)
def _told(kind: Posed) -> Posed:
    """Return somebody of whom the colour of the clothes is told."""
    told: Posed = msgspec.structs.replace(kind, color_told=True)
    return told


def _on_pavements(g: np.random.Generator, layout: StreetLayout, stand: Stand) -> Iterator[Stand]:
    """Yield an object at places on both pavements, turned any way; every second time beside something."""
    street = layout.street
    near = [s for s in layout.stands if abs(_along_m(street, s) - layout.middle_m) < FOOT_M]
    for k in range(TRIES):
        along = layout.middle_m + float(g.uniform(-FOOT_M, FOOT_M))
        off, heading = pavement_off(g, street), float(g.uniform(-math.pi, math.pi))
        if k % 2 and near:
            along, off = beside_something(g, street, stand, near[int(g.integers(len(near)))])
        if not on_crossing(street, along):
            yield beside_road(street, stand, along, off, heading)


def _along_m(street: Street, stand: Stand) -> float:
    return float(street.main.nearest(stand.place_m[:2]))


def beside_something(
    g: np.random.Generator, street: Street, stand: Stand, other: Stand
) -> tuple[float, float]:
    """Return how far along the road and to its left somebody is who stands close to something, on the
    pavement.
    """
    way = float(g.uniform(-math.pi, math.pi))
    at = other.aside(way, max(stand.size_m[:2]) / 2 + float(g.uniform(*CLOSE_M)))
    along = float(street.main.nearest(at))
    (x, y), heading = street.main.at(along)
    off = float(np.array([-math.sin(heading), math.cos(heading)]) @ (at - (x, y)))
    low, high = street.kerb_m + KERB_M, street.kerb_m + street.pavement_m - KERB_M
    return along, math.copysign(min(max(abs(off), low), high), off)


def on_crossing(street: Street, along_m: float) -> bool:
    """Return whether a place so far along the main road is where another road crosses it."""
    return street.crossed and abs(along_m - street.crossing_m) < street.line_m


def pavement_off(g: np.random.Generator, street: Street) -> float:
    """Return how far to the left of the road's middle a place on a pavement is, by chance."""
    off = street.kerb_m + float(g.uniform(0.6, street.pavement_m - 0.5))
    return off if g.random() < 0.5 else -off


def beside_road(street: Street, stand: Stand, along_m: float, off_m: float, heading: float) -> Stand:
    """Return an object so far along the main road and to the left of its middle."""
    (x, y), _ = street.main.beside(along_m, off_m)
    place = (round(float(x), 6), round(float(y), 6), 0.0)
    return replace(stand, place_m=place, heading_rad=math.remainder(heading, 2 * math.pi), on=-1)


def moment_models(
    scene: Scene, outdoors: Library | None = None, indoors: Library | None = None
) -> dict[str, Model]:
    """Return the model of each object of a street by its id, in its own frame, the same at all times.

    Raises DataError where an object's model is not there, or is no longer what the scene was made with.
    """
    assets, furniture = street_assets(outdoors), room_assets(indoors)
    on_foot = {name for name, a in furniture.items() if isinstance(a, Posed)}
    return {
        o.id: posed_object_model(o, furniture) if o.asset.name in on_foot else street_object_model(o, assets)
        for o in scene.objects
    }
