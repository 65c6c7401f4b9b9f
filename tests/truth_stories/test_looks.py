"""How an actor looks, derived twice: which of its limbs are painted, and what grows on it."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import msgspec
import numpy as np
import pytest

from fathom.assets.model import Model
from fathom.programs.engine import traced
from fathom.programs.limb_groups import members
from fathom.programs.needs import needs_of, one_view_is_enough
from fathom.programs.views.animated import AnimatedView
from fathom.records import Scene
from fathom.scenes.animated_assets import built_in_animated
from fathom.scenes.attachments import anchors_of
from fathom.scenes.caps import removable
from fathom.scenes.edits import edited
from fathom.scenes.growths import GrowthPlan, grown_objects
from fathom.scenes.paint import owners_of, paint_parts
from fathom.scenes.scene_at_time import model_at
from fathom.verify.engine import derived_text
from fathom.verify.observed.animation import ObservedAnimation
from tests.truth_stories.yard import close_up, first_answer, program, seen, told, yard

FEW, COLORS = tuple("1234"), ("red", "blue", "yellow", "purple")
LIMBS = ("left arm", "right arm", "left leg", "right leg")
COATED = ("paint:left leg=yellow", "paint:right arm=yellow", "paint:left arm=purple")
KINDS = ("horn", "fin", "mushroom", "flower")
CASES = (
    ("limbs_painted|arms_and_legs|yellow", FEW, "2"),
    ("limbs_painted|arms_and_legs|purple", FEW, "1"),
    ("limb_painted|arms_and_legs|purple", LIMBS, "left arm"),
    ("part_color|left_leg whole", COLORS, "yellow"),
    ("worn", tuple("0123"), "0"),
    ("grown|horn", FEW, "3"),
    ("grown_color|horn", COLORS, "red"),
    ("grown_on|head", KINDS, "horn"),
)


@cache
def odd(count: int = 3) -> Scene:
    """Return the yard with nothing but its robot, some of whose limbs are painted, with horns on its head."""
    scene, library = yard(), built_in_animated()
    asset, actor = library.asset("Robot"), scene.objects[0]
    actor = msgspec.structs.replace(
        actor,
        asset=msgspec.structs.replace(actor.asset, edits=COATED),
        parts=actor.parts | paint_parts(COATED),
        poses=actor.poses[:1],
        events=(),
    )
    models = [m for t in scene.times_s if (m := model_at(actor, library, t)) is not None]
    plan = GrowthPlan("horn", "head", count)
    horns = grown_objects(plan, "red", asset, anchors_of(asset), models, actor.poses * len(models))
    objects = (actor, *horns)
    return msgspec.structs.replace(scene, objects=objects, cameras=close_up(actor.size_m, 200))


@cache
def film() -> tuple[AnimatedView, ObservedAnimation]:
    return told(odd()), seen(odd())


@pytest.mark.parametrize(("text", "choices", "wanted"), CASES)
def test_both_derivations_find_what_is_odd(text: str, choices: tuple[str, ...], wanted: str) -> None:
    record, shown = film()
    steps = program(text, *choices)
    assert first_answer(steps, record) == wanted
    assert derived_text(steps, shown) == wanted
    needs = needs_of(steps, traced(steps, record), record)
    assert needs and all(n.cells for n in needs)


def test_how_many_horns_there_are_takes_several_views() -> None:
    record, _ = film()
    steps = program("grown|horn", *FEW)
    assert not one_view_is_enough(needs_of(steps, traced(steps, record), record))


def test_a_record_that_has_a_horn_less_or_another_color_is_found_out() -> None:
    record, shown = film()
    fewer = replace(record, places=(*record.places[:-1], ""))
    assert first_answer(program("grown|horn", *FEW), fewer) == "2"
    assert derived_text(program("grown|horn", *FEW), shown) == "3"
    blue = replace(record, colors=tuple(tuple("blue" for _ in c) for c in record.colors))
    assert first_answer(program("grown_color|horn", *COLORS), blue) == "blue"
    assert derived_text(program("grown_color|horn", *COLORS), shown) == "red"


def test_what_grows_stays_where_it_grows_and_apart() -> None:
    scene = odd(4)
    spots = np.array([[p.position_m for p in o.poses] for o in scene.objects[1:]])
    assert spots.shape[:2] == (4, len(scene.times_s))
    apart = np.linalg.norm(np.diff(spots, axis=0), axis=2)
    assert np.ptp(apart, axis=1).max() < 1e-3 < apart.min()


def test_a_record_in_which_another_limb_is_painted_is_found_out() -> None:
    record, shown = film()
    parts = {**record.parts, "right leg": record.parts["left leg"], "left leg": record.parts["left arm"]}
    steps = program("limbs_painted|arms_and_legs|purple", *FEW)
    assert first_answer(steps, replace(record, parts=parts)) == "2"
    assert derived_text(steps, shown) == "1"


def test_paint_takes_no_triangle_away_and_adds_none() -> None:
    asset = built_in_animated().asset("Robot")
    plain, colored = asset.model_at("", 0.0), edited(asset.model_at("", 0.0), COATED, asset)
    assert sum(len(p.faces) for p in colored.parts) == sum(len(p.faces) for p in plain.parts)
    assert [len(o) for o in owners_of(asset, COATED)] == [len(p.vertices) for p in colored.parts]
    assert {p.name for p in colored.parts} - {p.name for p in plain.parts} == set(paint_parts(COATED))


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
