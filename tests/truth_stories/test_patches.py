"""Patches of paint: how many, on which side, and which lies where around the actor, derived twice."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from functools import cache

import msgspec
import numpy as np
import pytest

from fathom.benchmarks.fourdbench.construction import templates
from fathom.benchmarks.fourdbench.words import LANGUAGE, VERBS
from fathom.programs.engine import traced
from fathom.programs.needs import frames_in, needs_of, one_time_is_enough, one_view_is_enough
from fathom.programs.painted import PAINTS, is_patch
from fathom.programs.views.animated import AnimatedView
from fathom.questions.contexts.animated import AnimatedContext
from fathom.questions.contexts.animated_meaning import means_nothing
from fathom.questions.repeating.animated import told_by
from fathom.questions.templates import animated_steps
from fathom.records import Scene
from fathom.scenes.animated_assets import built_in_animated
from fathom.scenes.edits import edited
from fathom.scenes.patches import (
    PATCH,
    SIDES,
    amounts_of,
    owners_of,
    paint_times,
    paintable,
    patch_parts,
    patches_of,
)
from fathom.scenes.scene_at_time import model_at
from fathom.store.seeds import rng
from fathom.verify.engine import derived_text
from fathom.verify.observed.animation import ObservedAnimation
from tests.truth_stories.yard import FPS, FRAMES, close_up, first_answer, program, seen, told, yard

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
        actor, asset=asset, parts=actor.parts | patch_parts(edits), poses=actor.poses[:1], events=()
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
    (SIDES, "patch_across|red_patch", COLORS, "blue"),
    (SIDES, "patch_across|purple_patch", COLORS, "yellow"),
    (THREE, "patch_across|yellow_patch", (*COLORS[:3], "none"), "none"),
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


TIMES = {"front": 5, "left": 24, "behind": 34}
CAME = (
    ("patch_order|first", COLORS, "red"),
    ("patch_order|last", COLORS, "blue"),
    ("patch_then|red_patch", ("blue", "yellow", "purple", "none"), "yellow"),
    ("patch_then|blue_patch", ("red", "yellow", "purple", "none"), "none"),
    ("patches_come", FEW, "3"),
    ("patch_come_side|first", SIDES, "front"),
    ("patch_come_side|last", SIDES, "behind"),
    ("patches_there start", FEW, "1"),
    ("patches_there end", FEW, "4"),
    ("verb the around actions patch_time|red_patch", ("walk", "bow", "run", "jump"), "walk"),
    ("verb the around actions patch_time|yellow_patch", ("walk", "bow", "run", "jump"), "bow"),
)


@cache
def coming() -> tuple[AnimatedView, ObservedAnimation]:
    """Return the film in which three of four patches come, one after the other."""
    scene = painted()
    actor = scene.objects[0]
    assert actor.asset is not None
    parts = actor.parts | patch_parts(actor.asset.edits, TIMES, FPS)
    scene = msgspec.structs.replace(scene, objects=(msgspec.structs.replace(actor, parts=parts),))
    return told(scene), seen(scene)


@pytest.mark.parametrize(("text", "choices", "wanted"), CAME)
def test_both_derivations_find_when_patches_come(text: str, choices: tuple[str, ...], wanted: str) -> None:
    record, shown = coming()
    steps = program(text, *choices)
    assert first_answer(steps, record) == wanted
    assert derived_text(steps, shown) == wanted


@pytest.mark.parametrize(
    "text", ["patch_order|last", "patch_then|red_patch", "patches_come", "patch_come_side|last"]
)
def test_it_takes_several_views_and_several_times_to_see_what_comes(text: str) -> None:
    record, _ = coming()
    steps = program(text, *next(choices for t, choices, _ in CAME if t == text))
    needs = needs_of(steps, traced(steps, record), record)
    assert all(n.cells for n in needs)
    assert not one_view_is_enough(needs) and not one_time_is_enough(needs)


@pytest.mark.parametrize(
    ("text", "choices", "wanted"),
    [
        ("patches", FEW, "4"),
        ("patch_side|yellow_patch", SIDES, "left"),
        ("patch_across|red_patch", COLORS, "blue"),
    ],
)
def test_where_patches_lie_is_told_as_it_is_in_the_end(
    text: str, choices: tuple[str, ...], wanted: str
) -> None:
    record, shown = coming()
    steps = program(text, *choices)
    assert first_answer(steps, record) == wanted
    assert derived_text(steps, shown) == wanted
    if text == "patches":
        late = max(TIMES.values())
        needs = {n.what: n for n in needs_of(steps, traced(steps, record), record)}
        seen_at = needs["its side: right"].cells.values()
        assert all(min(frames_in(f)) >= late - 1 for f in seen_at)


def test_a_patch_is_bare_until_it_comes() -> None:
    actor = painted().objects[0]
    assert actor.asset is not None
    parts = actor.parts | patch_parts(actor.asset.edits, TIMES, FPS)
    coated = msgspec.structs.replace(actor, parts=parts)
    for frame in range(FRAMES):
        model = model_at(coated, built_in_animated(), frame / FPS)
        assert model is not None
        looks = {p.name: p.material.name for p in model.parts if is_patch(p.name)}
        for side, color in PAINT.items():
            name = f"{color} patch"
            assert (looks[name] == name) == (frame >= TIMES.get(side, 0))


def test_patches_come_far_enough_apart_for_six_frames() -> None:
    edits = tuple(f"{PATCH}:{s}={c}" for s, c in PAINT.items())
    drawn = [paint_times(edits, k % 5, FRAMES, rng("times", k)) for k in range(80)]
    assert [len(d) for d in drawn] == [k % 5 for k in range(80)]
    for times in drawn:
        order = sorted(times.values())
        for sampled in (
            np.linspace(0, FRAMES - 1, 6),
            np.arange(6) * FRAMES / 6,
        ):  # with the last frame, without
            between = np.searchsorted(sampled, order)
            assert all(0 < k < 6 for k in between) and len({*between.tolist()}) == len(order)


def test_a_record_that_has_two_colors_the_wrong_way_round_is_found_out() -> None:
    scene = painted()
    actor = scene.objects[0]
    assert actor.asset is not None
    swapped = [
        f"{PATCH}:{s}={PAINT[o]}" for s, o in zip(SIDES, ("left", "front", "behind", "right"), strict=True)
    ]
    asset = msgspec.structs.replace(actor.asset, edits=tuple(swapped))
    wrong = msgspec.structs.replace(scene, objects=(msgspec.structs.replace(actor, asset=asset),))
    steps = program("patch_across|red_patch", *COLORS)
    assert first_answer(steps, told(wrong)) == "purple"
    assert derived_text(steps, film(SIDES)[1]) == "blue"


def test_it_takes_several_views_to_see_all_around() -> None:
    record, _ = film(SIDES)
    steps = program("patches", *FEW)
    assert not one_view_is_enough(needs_of(steps, traced(steps, record), record))


def test_what_shows_that_nothing_is_painted_is_the_side_itself() -> None:
    record, _ = film(("left",))
    steps = program("patch_across|yellow_patch", *COLORS[:3], "none")
    needs = needs_of(steps, traced(steps, record), record)
    assert {n.what for n in needs} == {"yellow patch", "its side: right"}
    assert not one_view_is_enough(needs)


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
    assert {p.name for p in colored.parts} - {p.name for p in plain.parts} == set(patch_parts(edits))


def test_two_questions_that_ask_the_same_of_two_patches_are_one() -> None:
    record, _ = film(SIDES)
    stage = AnimatedContext(painted(), record, LANGUAGE, VERBS)
    forms = {f.id: f for f in templates("alone")}
    told = []
    for form, patch, answer in (
        ("appearance.patch_across", "red patch", "blue"),
        ("appearance.patch_across", "blue patch", "red"),
        ("appearance.patch_across", "purple patch", "yellow"),
        ("appearance.patch_across", "yellow patch", "purple"),
    ):
        fills = {"P": next(f for f in stage.fills("patch") if f.key == patch)}
        steps = animated_steps(forms[form], fills)
        trace = traced(steps, record)
        assert trace.values[-1] == answer
        told.append(told_by(stage, forms[form], fills, steps, trace, answer)[0])
    assert told[0] == told[1] and told[2] == told[3] and told[0] != told[2]


@pytest.mark.parametrize(("sides", "shares"), [(4, (0.13, 0.13, 0.13, 0.61)), (3, (0.33, 0.34, 0.33, 0))])
def test_every_few_films_have_all_amounts_of_patches(sides: int, shares: tuple[float, ...]) -> None:
    for first in range(0, 800, 8):
        few = [amounts_of(k, "even", sides) for k in range(first, first + 8)]
        counts = Counter(count for count, _ in few)
        assert all(abs(counts[n] - 8 * share) < 2 for n, share in enumerate(shares, 1))
        assert all(coming <= count <= sides for count, coming in few)
    every = Counter(amounts_of(k, "even", sides)[1] for k in range(8000))
    assert min(every[n] for n in range(1, sides + 1)) / 8000 > 0.1


def test_sides_and_ways_around_in_the_end_are_not_asked_of_what_ends_on_its_back() -> None:
    view, _ = film(SIDES)
    ups = np.tile([0.0, 0.0, 1.0], (FRAMES, 1))
    over = ups.copy()
    over[-1] = (0.0, 0.0, -1.0)
    for asked, way in (
        ("only_on|left end", over),
        ("patch_across|red_patch", ups),
    ):
        for course in (ups, over):
            shown = replace(view, visibility=replace(view.visibility, actor_ups=course))
            stage = AnimatedContext(painted(SIDES), shown, LANGUAGE, VERBS)
            steps = program(asked, *COLORS)[:-1]
            refused = means_nothing(stage, steps, traced(steps, shown))
            assert refused == (course is way is over)
