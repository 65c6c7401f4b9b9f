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
from fathom.programs.needs import needs_of, one_time_is_enough, one_view_is_enough
from fathom.programs.views.animated import AnimatedView
from fathom.records import Scene
from fathom.scenes.animated_assets import built_in_animated
from fathom.scenes.attachments import anchors_of
from fathom.scenes.caps import removable
from fathom.scenes.edits import edited
from fathom.scenes.growths import GrowthPlan, grown_objects
from fathom.scenes.paint import owners_of, paint_parts
from fathom.scenes.scene_at_time import model_at, size_share
from fathom.verify.engine import derived_text
from fathom.verify.observed.animation import ObservedAnimation
from tests.truth_stories.yard import FPS, close_up, event, first_answer, program, seen, told, yard

FEW, COLORS = tuple("1234"), ("red", "blue", "yellow", "purple")
LIMBS = ("left arm", "right arm", "left leg", "right leg")
COATED = ("paint:left leg=yellow", "paint:right arm=yellow", "paint:left arm=purple")
KINDS = ("horn", "fin", "mushroom", "flower")
PLACES = ("chest", "back", "head", "left side")
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
    plan = GrowthPlan("horn", (("head", count),))
    horns = grown_objects(plan, ["red"], asset, anchors_of(asset), models, actor.poses * len(models))
    objects = (actor, *horns)
    return msgspec.structs.replace(scene, objects=objects, cameras=close_up(actor.size_m, 200))


@cache
def film() -> tuple[AnimatedView, ObservedAnimation]:
    return told(odd()), seen(odd())


SETS = ("red", "purple+red", "blue+red+yellow", "blue+purple+red+yellow")
SIDES = tuple(f"chest={m}+back={n}" for m in (1, 2) for n in (1, 2))
BLOOMING = (
    ("count there growing|flower|anywhere start", FEW, "3"),
    ("count there growing|flower|anywhere end", FEW, "4"),
    ("count there growing|flower|back end", FEW, "2"),
    ("count there there growing|flower|anywhere start end", FEW, "2"),
    ("count growing|flower|anywhere", tuple("2345"), "5"),
    ("count sprouting|appears", FEW, "2"),
    ("count sprouting|vanishes", FEW, "1"),
    ("count within sprouting|appears while the filter_verb|walk actions", FEW, "1"),
    ("verb the around actions while last sprouting|appears", ("walk", "bow", "wave", "jump"), "bow"),
    ("own_color subject first sprouting|appears", COLORS, "yellow"),
    ("own_color subject the sprouting|vanishes", COLORS, "purple"),
    ("place_of subject last sprouting|appears", PLACES, "back"),
    ("place_of only matching|yellow_flower things", PLACES, "chest"),
    ("colors_of there growing|flower|anywhere start", SETS, "purple+red"),
    ("colors_of there growing|flower|anywhere end", SETS, "blue+red+yellow"),
    ("colors_of growing|flower|anywhere", SETS, "blue+purple+red+yellow"),
    ("side_counts|chest+back there growing|flower|anywhere end", SIDES, "chest=1+back=2"),
    ("side_counts|chest+back growing|flower|anywhere", SIDES, "chest=2+back=2"),
    ("own_color subject nth|2 sprouting|appears", COLORS, "blue"),
)


@cache
def blooming() -> Scene:
    """Return the yard with nothing but its robot, on which flowers grow: of five two come and one goes."""
    scene, library = yard(), built_in_animated()
    asset, actor = library.asset("Robot"), scene.objects[0]
    actor = msgspec.structs.replace(actor, poses=actor.poses[:1], events=())
    models = [m for t in scene.times_s if (m := model_at(actor, library, t)) is not None]
    plan = GrowthPlan("flower", (("chest", 2), ("back", 2), ("head", 1)), True)
    flowers = grown_objects(plan, ["red"], asset, anchors_of(asset), models, actor.poses * len(models))
    becomes = {0: ("yellow", event("appears", 8)), 3: ("blue", event("appears", 28))}
    becomes |= {1: ("purple", event("vanishes", 36))}
    grown = [
        msgspec.structs.replace(o, attributes=o.attributes | {"color": becomes[k][0]}, events=becomes[k][1:])
        if k in becomes
        else o
        for k, o in enumerate(flowers)
    ]
    return msgspec.structs.replace(
        scene, objects=(actor, *grown), cameras=close_up(tuple(0.7 * v for v in actor.size_m), 200)
    )


@cache
def bloom() -> tuple[AnimatedView, ObservedAnimation]:
    return told(blooming()), seen(blooming())


@pytest.mark.parametrize(("text", "choices", "wanted"), BLOOMING)
def test_both_derivations_find_what_comes_and_goes_on_all_sides(
    text: str, choices: tuple[str, ...], wanted: str
) -> None:
    record, shown = bloom()
    steps = program(text, *choices)
    assert first_answer(steps, record) == wanted
    assert derived_text(steps, shown) == wanted
    needs = needs_of(steps, traced(steps, record), record)
    assert needs and all(n.cells for n in needs)


def test_what_comes_and_goes_on_all_sides_takes_several_views_and_times() -> None:
    record, _ = bloom()
    for text in ("count sprouting|appears", "own_color subject first sprouting|appears"):
        steps = program(text, *(FEW if text.startswith("count") else COLORS))
        needs = needs_of(steps, traced(steps, record), record)
        assert not one_view_is_enough(needs) and not one_time_is_enough(needs)


def test_what_grows_sprouts_and_withers() -> None:
    comes, goes = (o for o in blooming().objects[1:] if o.id in ("grown0", "grown1"))
    assert [size_share(comes, f / FPS) for f in (8, 9, 10, 11, 47)] == [0.45, 0.65, 0.85, 1.0, 1.0]
    assert [size_share(goes, f / FPS) for f in (0, 32, 33, 34, 35)] == [1.0, 1.0, 0.85, 0.65, 0.45]


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
