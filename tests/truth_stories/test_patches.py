"""Patches of paint: how many, on which side, and which lies where around the actor, derived twice."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from functools import cache

import msgspec
import numpy as np
import pytest

from fathom.assets.model import Model
from fathom.programs.engine import traced
from fathom.programs.limb_groups import members
from fathom.programs.needs import needs_of, one_view_is_enough
from fathom.programs.painted import PAINTS, is_patch
from fathom.programs.views.animated import AnimatedView
from fathom.records import Scene
from fathom.scenes.animated_assets import built_in_animated
from fathom.scenes.caps import removable
from fathom.scenes.edits import edited
from fathom.scenes.patches import (
    PATCH,
    SIDES,
    amount_of,
    owners_of,
    paint_parts,
    paintable,
    patches_of,
)
from fathom.store.seeds import rng
from fathom.verify.engine import derived_text
from fathom.verify.observed.animation import ObservedAnimation
from tests.truth_stories.yard import close_up, first_answer, program, seen, told, yard

COLORS = ("red", "blue", "yellow", "purple")
PAINT = dict(zip(SIDES, ("red", "yellow", "blue", "purple"), strict=True))


@cache
def painted(sides: tuple[str, ...] = SIDES) -> Scene:
    """Return the yard with nothing but its robot, which stays where it is, painted on some of its sides."""
    scene = yard()
    actor = scene.objects[0]
    assert actor.asset is not None
    edits = tuple(f"{PATCH}:{s}={PAINT[s]}" for s in sides)
    asset = msgspec.structs.replace(actor.asset, edits=edits)
    actor = msgspec.structs.replace(
        actor, asset=asset, parts=actor.parts | paint_parts(edits), poses=actor.poses[:1], events=()
    )
    return msgspec.structs.replace(scene, objects=(actor,), cameras=close_up(actor.size_m, 160))


@cache
def film(sides: tuple[str, ...]) -> tuple[AnimatedView, ObservedAnimation]:
    scene = painted(sides)
    return told(scene), seen(scene)


FEW = tuple("1234")
THREE = ("front", "left", "behind")
CASES = (
    (SIDES, "patches", FEW, "4"),
    (THREE, "patches", FEW, "3"),
    (SIDES, "patch_side|red_patch", SIDES, "front"),
    (SIDES, "patch_side|yellow_patch", SIDES, "left"),
    (SIDES, "patch_side|purple_patch", SIDES, "right"),
    (SIDES, "patch_on|front", COLORS, "red"),
    (SIDES, "patch_on|right", COLORS, "purple"),
    (("left",), "patches", FEW, "1"),
)


@pytest.mark.parametrize(("sides", "text", "choices", "wanted"), CASES)
def test_both_derivations_find_what_was_painted(
    sides: tuple[str, ...], text: str, choices: tuple[str, ...], wanted: str
) -> None:
    record, shown = film(sides)
    steps = program(text, *choices)
    assert derived_text(steps, shown) == wanted
    assert first_answer(steps, record) == wanted


def test_a_record_that_has_two_colors_the_wrong_way_round_is_found_out() -> None:
    scene = painted()
    actor = scene.objects[0]
    assert actor.asset is not None
    swapped = [
        f"{PATCH}:{s}={PAINT[o]}" for s, o in zip(SIDES, ("left", "front", "behind", "right"), strict=True)
    ]
    asset = msgspec.structs.replace(actor.asset, edits=tuple(swapped))
    wrong = msgspec.structs.replace(scene, objects=(msgspec.structs.replace(actor, asset=asset),))
    steps = program("patch_on|front", *COLORS)
    assert first_answer(steps, told(wrong)) == "yellow"
    assert derived_text(steps, film(SIDES)[1]) == "red"


def test_it_takes_several_views_to_see_all_around() -> None:
    record, _ = film(SIDES)
    steps = program("patches", *FEW)
    assert not one_view_is_enough(needs_of(steps, traced(steps, record), record))


def test_who_is_painted_hangs_on_the_seed_alone_and_no_color_is_its_own() -> None:
    library = built_in_animated()

    def draw() -> list[tuple[str, ...]]:
        return [patches_of(a, 1 + k % 4, rng("paint", k, a.name)) for k in range(60) for a in library.assets]

    drawn = draw()
    assert drawn == draw()
    assert {len(d) for d in drawn} == {0, 1, 2, 3, 4}
    assert not any(patches_of(library.asset("Fish"), 4, rng("fish", k)) for k in range(20)), (
        "it is blue itself"
    )
    for edits in filter(None, drawn):
        sides, colors = zip(*(e.removeprefix(f"{PATCH}:").split("=") for e in edits), strict=True)
        assert len(set(sides)) == len(set(colors)) == len(edits)
        assert set(colors) <= set(PAINTS)


def test_paint_takes_no_triangle_away_and_adds_none() -> None:
    asset = built_in_animated().asset("Robot")
    assert all(paintable(asset))
    edits = tuple(f"{PATCH}:{s}={c}" for s, c in PAINT.items())
    plain, colored = asset.model_at("", 0.0), edited(asset.model_at("", 0.0), edits, asset)
    assert sum(len(p.faces) for p in colored.parts) == sum(len(p.faces) for p in plain.parts)
    own = owners_of(asset, edits)
    assert [len(o) for o in own] == [len(p.vertices) for p in colored.parts]
    assert {p.name for p in colored.parts} - {p.name for p in plain.parts} == set(paint_parts(edits))


@pytest.mark.parametrize(("sides", "most"), [(4, 4), (3, 3)])
def test_every_few_films_have_all_amounts_of_patches(sides: int, most: int) -> None:
    for first in range(0, 800, 8):
        few = Counter(amount_of(k, "even", sides) for k in range(first, first + 8))
        assert set(few) == set(range(1, most + 1)) and max(few.values()) <= 4


LIMBS = ("left arm", "right arm", "left leg", "right leg")
COATED = ("paint:left leg=yellow", "paint:right arm=yellow", "paint:left arm=purple")
LIMB_CASES = (
    ("limbs_painted|arms_and_legs|yellow", FEW, "2"),
    ("limbs_painted|arms_and_legs|purple", FEW, "1"),
    ("limb_painted|arms_and_legs|purple", LIMBS, "left arm"),
    ("part_color|left_leg whole", COLORS, "yellow"),
    ("worn", tuple("0123"), "0"),
)


@cache
def coated(edits: tuple[str, ...] = COATED) -> tuple[AnimatedView, ObservedAnimation]:
    """Return the film of the robot alone, some of whose limbs are painted."""
    scene = painted()
    actor = scene.objects[0]
    asset = msgspec.structs.replace(actor.asset, edits=edits)
    parts = {n: p for n, p in actor.parts.items() if not is_patch(n)} | paint_parts(edits)
    actor = msgspec.structs.replace(actor, asset=asset, parts=parts)
    scene = msgspec.structs.replace(scene, objects=(actor,))
    return told(scene), seen(scene)


@pytest.mark.parametrize(("text", "choices", "wanted"), LIMB_CASES)
def test_both_derivations_find_which_limbs_are_painted(
    text: str, choices: tuple[str, ...], wanted: str
) -> None:
    record, shown = coated()
    steps = program(text, *choices)
    assert first_answer(steps, record) == wanted
    assert derived_text(steps, shown) == wanted
    needs = needs_of(steps, traced(steps, record), record)
    assert needs and all(n.cells for n in needs)


def test_a_record_in_which_another_limb_is_painted_is_found_out() -> None:
    record, _ = coated()
    parts = {**record.parts, "right leg": record.parts["left leg"], "left leg": record.parts["left arm"]}
    steps = program("limbs_painted|arms_and_legs|purple", *FEW)
    assert first_answer(steps, replace(record, parts=parts)) == "2"
    assert derived_text(steps, coated()[1]) == "1"


def test_where_a_limb_is_taken_away_no_hole_is_left() -> None:
    asset = built_in_animated().asset("Robot")
    limbs = members("legs", asset.limbs)
    assert len(limbs) == 2 and all(removable(asset, n) for n in limbs)
    whole, less = (edited(asset.model_at("", 0.0), edits, asset) for edits in ((), (f"remove:{limbs[0]}",)))
    assert sum(len(p.faces) for p in less.parts) < sum(len(p.faces) for p in whole.parts)
    assert open_edges(less) <= open_edges(whole)


def open_edges(model: Model) -> int:
    """Return how many edges only one triangle has, corners at one place being one."""
    starts = np.cumsum([0, *(len(p.vertices) for p in model.parts)])
    points = np.round(np.concatenate([p.vertices for p in model.parts]), 5)
    at = np.unique(points, axis=0, return_inverse=True)[1].reshape(-1)
    faces = np.concatenate([at[p.faces + s] for p, s in zip(model.parts, starts, strict=False)])
    pairs = np.sort(np.concatenate([faces[:, [0, 1]], faces[:, [1, 2]], faces[:, [2, 0]]]), axis=1)
    pairs = pairs[pairs[:, 0] != pairs[:, 1]]
    return int((np.unique(pairs, axis=0, return_counts=True)[1] == 1).sum())
