"""What grows on an actor keeps its distance, and is plainly on its side."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations

import msgspec
import numpy as np
import pytest

from fathom.assets.animated.library import AnimatedLibrary
from fathom.geometry.poses import yaw_quaternion
from fathom.records import Pose, SceneObject
from fathom.scenes.animated_assets import unit_m
from fathom.scenes.animated_scenes import draw_animated_scene
from fathom.scenes.attachments import anchors_of
from fathom.scenes.growth_room import ROOM, _gap, _points, _width, crowded
from fathom.scenes.growth_roots import (
    FLANKS,
    FROM_FACE,
    FROM_HEAD,
    TILT_DEG,
    UNDER,
    UPWARD_DEG,
    GrowingSurface,
)
from fathom.scenes.growths import enough_around
from fathom.scenes.props import is_grown
from fathom.scenes.scene_at_time import Staging, prop_ref


def flower(*xs: float) -> SceneObject:
    """A flower of 20 cm that stands at some place at each frame."""
    poses = tuple(Pose(position_m=(x, 0.0, 0.0), rotation_wxyz=yaw_quaternion(0.0)) for x in xs)
    return SceneObject(
        id="grown", category="prop", subtype="flower", size_m=(0.2, 0.2, 0.2), poses=poses,
        asset=prop_ref("flower"), attributes={"name": "flower", "worn_on": "back"},
    )  # fmt: skip


def test_of_two_that_meet_at_some_time_the_later_one_has_no_room() -> None:
    still, far, comes = flower(*[0.0] * 9), flower(*[0.6] * 9), flower(*np.linspace(1.2, 0.7, 9).tolist())
    assert crowded([still, far]) == ()
    assert crowded([still, far, comes]) == (2,)
    assert crowded([still, still, far]) == (1,)
    assert crowded([]) == ()


def test_what_grows_all_around_has_one_that_can_come_or_go() -> None:
    def around(*looks: tuple[str, str]) -> bool:
        made = [
            msgspec.structs.replace(flower(0.0), attributes={"name": "flower", "color": c, "worn_on": place})
            for c, place in looks
        ]
        return enough_around(made)

    assert around(("cyan", "head"), ("red", "back"))
    assert not around(("cyan", "head"), ("cyan", "back"))
    assert around(("cyan", "head"), ("cyan", "back"), ("red", "back"))
    assert not around(("cyan", "back"), ("red", "back"))


def test_nothing_that_grows_in_a_film_touches_another(library: AnimatedLibrary) -> None:
    checked = 0
    for k in range(8):
        scene = draw_animated_scene(k, "rooms", library, Staging(views=4))
        grown = [o for o in scene.objects if is_grown(o)]
        comes = any(o.events for o in grown)
        for one, other in combinations(grown if comes else (), 2):
            for frame in (0, 12, 24, 36):
                gap = _gap(_points(one, frame), _points(other, frame))
                assert gap >= ROOM * min(_width(one), _width(other))
                checked += 1
    assert checked > 10


@pytest.mark.parametrize("name", ["Dog", "Fish"])
def test_each_looks_plainly_to_its_side(name: str, library: AnimatedLibrary) -> None:
    asset = library.asset(name)
    back = next(a for a in anchors_of(asset) if a.place == "back")
    for place, way in (("left side", (0, 1, 0)), ("right side", (0, -1, 0)), ("back", (0, 0, 1))):
        found = GrowingSurface.at(asset, replace(back, place=place)).spots(2) or []
        for _, axes in found:
            assert axes[:, 2] @ way >= np.cos(np.radians(TILT_DEG)) - 1e-6
            assert place == "back" or axes[2, 2] <= np.sin(np.radians(UPWARD_DEG)) + 1e-6


def test_on_a_flank_each_grows_where_that_looks_up_least(library: AnimatedLibrary) -> None:
    """What leans over to the back is on the back for some."""
    surface = flank(library, "Dog")
    steep = [surface._looks_up(place) for place in surface._plain]
    rows = [at[0] for at, _ in surface._plain]
    assert len(set(rows)) == len(rows) > 3, "one for each place along the body"
    assert min(steep) == 0.0 or max(steep) < np.sin(np.radians(TILT_DEG))


def test_what_grows_on_a_flank_is_not_beside_the_head(library: AnimatedLibrary) -> None:
    surface = flank(library, "Dog")
    points = np.concatenate([p.vertices for p in surface.model.parts])
    head = points[surface._of_head]
    assert len(head) and surface._has_head
    gaps = [float(np.linalg.norm(head - at, axis=1).min()) for at, _ in surface._plain]
    assert min(gaps) >= FROM_HEAD * unit_m(library.asset("Dog"))
    beside = head[0] + np.array([0.0, 0.0, 0.5 * FROM_HEAD * unit_m(library.asset("Dog"))])
    assert not surface._is_apart(beside)


def test_what_grows_on_a_flank_is_neither_beside_an_eye_nor_as_high_as_the_back(
    library: AnimatedLibrary,
) -> None:
    surface, unit = flank(library, "Fish"), unit_m(library.asset("Fish"))
    points = np.concatenate([p.vertices for p in surface.model.parts])
    eyes = points[surface._of_face]
    assert len(eyes) and surface._plain
    assert all(np.linalg.norm(eyes - at, axis=1).min() >= FROM_FACE * unit for at, _ in surface._plain)
    assert not surface._is_apart(eyes[0] + np.array([0.0, 0.0, 0.5 * FROM_FACE * unit]))
    back = surface.anchor.limb_m[:, 2].max()
    middle, up = surface._plain[0][0], surface.axes[2]
    assert not surface._is_high(middle)
    high = middle + up * (back - float(up @ middle) - 0.5 * UNDER * unit)
    assert surface._is_high(high) and not surface._is_apart(high)
    assert surface._is_apart(middle)


def flank(library: AnimatedLibrary, name: str) -> GrowingSurface:
    asset = library.asset(name)
    back = next(a for a in anchors_of(asset) if a.place == "back")
    return GrowingSurface.at(asset, replace(back, place=FLANKS[0]))


def test_where_a_side_has_a_hole_nothing_grows_out_of_the_other_one_from_within(
    library: AnimatedLibrary,
) -> None:
    asset = library.asset("Fish")
    back = next(a for a in anchors_of(asset) if a.place == "back")
    whole = GrowingSurface.at(asset, replace(back, place="left side"))
    middle = float(np.median(np.concatenate([p.vertices for p in whole.model.parts])[whole.of][:, 2]))
    parts = tuple(
        replace(p, faces=p.faces[(p.vertices[p.faces][:, :, 2] < middle).all(axis=1)])
        for p in whole.model.parts
    )
    assert whole.spots(1), "the whole side bears something"
    assert not replace(whole, model=replace(whole.model, parts=parts)).spots(1)
