"""What questions of films do not speak of: what has another name by then, what nobody sees, what all know."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import msgspec
import numpy as np
import pytest

from fathom.benchmarks.fourdbench.construction import templates
from fathom.benchmarks.fourdbench.words import LANGUAGE
from fathom.programs.evidence.events import faint
from fathom.programs.growths import GROWTHS, TAKEN_FOR
from fathom.programs.motion import limb_first, travels
from fathom.programs.operators.spatial import quarter_truth
from fathom.programs.operators.visibility import hidden_truth, wholly_hidden
from fathom.programs.views.animated import AnimatedView, animated_view
from fathom.programs.visibility_grid import VisibilityGrid
from fathom.questions.animated_candidate import AnimatedCandidate
from fathom.questions.balancing.animated import MOST_DEEDS, NEXT_FREE, NEXT_SHARE
from fathom.questions.balancing.false_choices import CHOICES
from fathom.questions.candidate import Selected
from fathom.questions.contexts.animated_changes import unclear_events
from fathom.questions.contexts.animated_words import ActionWords, sentence
from fathom.questions.distractors.sources import SOURCES, Supply
from fathom.questions.sampling.animated import offer
from fathom.questions.templates import Fill
from fathom.questions.writing.animated import write
from fathom.records import Scene
from tests.stories_questions.made import FRAMES, VIEWS, Prop, acts, at, made_recipe, scene_of, visibility_of
from tests.stories_questions.test_questions import chosen

EAGER = made_recipe(tries=40)
CHANGE_OF_NAME = (
    Prop("teapot", "red", 0.0, events=(at("swaps", 20, "lantern"),)),
    Prop("cube", "blue", 90.0, events=(at("vanishes", 30),)),
    Prop("vase", "green", 180.0, events=(at("recolours", 10, "purple"),)),
    Prop("barrel", "yellow", 270.0, events=(at("appears", 38),)),
    Prop("star", "gray", 45.0, far=3.0),
)
ABOUT_THE_CHANGE = ("temporal.turns_into", "temporal.becomes")


def candidates(props: Sequence[Prop], *verbs: str) -> tuple[AnimatedCandidate, ...]:
    scene = scene_of(props, acts(*verbs) if verbs else ())
    return offer(scene, visibility_of(scene, 50.0), EAGER).candidates


def without_the_change(text: str) -> str:
    return text.replace("the teapot turns into a lantern", "").replace("The teapot turns into a lantern", "")


def test_what_turns_into_something_else_is_named_only_where_that_is_asked() -> None:
    found = candidates(CHANGE_OF_NAME, "walk", "jump")
    spoken = [c for c in found if c.form not in ABOUT_THE_CHANGE]
    assert spoken
    for c in spoken:
        words = [w for f in c.fills.values() for said in f.said.values() for w in said]
        words += [c.answer.text, *(o.text for o in c.pool)]
        names = [w for w in words if "teapot" in without_the_change(w).lower()]
        # A name may be offered as what something is at a time; that is then false, or true of that time.
        allowed = c.form.startswith(("spatial.", "appearance.")) and names == ["A teapot"] * len(names)
        assert not names or allowed or "N" in c.fills, (c.form, names)
    assert [c for c in found if c.form == "temporal.turns_into" and c.fills["T"].key == "teapot"]


def test_what_has_to_be_seen_of_a_object_has_the_name_of_that_time() -> None:
    scene = scene_of(CHANGE_OF_NAME)
    timeline = animated_view(scene, visibility_of(scene))
    assert timeline.called(1, 40, 40) == "red lantern"
    assert timeline.called(1, 5, 5) == "red teapot"
    assert timeline.called(1, 0, FRAMES - 1) == "red teapot or red lantern"


def test_what_turns_into_something_else_is_not_counted_in_all() -> None:
    forms = {c.form for c in candidates(CHANGE_OF_NAME)}
    steady = {c.form for c in candidates([p for p in CHANGE_OF_NAME if p.name != "teapot"])}
    assert "counting.ever" not in forms
    assert "counting.ever" in steady


ALIKE = (
    Prop("ball", "red", 0.0, events=(at("vanishes", 12),)),
    Prop("ball", "red", 120.0, events=(at("appears", 30),)),
    Prop("cube", "blue", 90.0),
    Prop("vase", "green", 180.0),
)


def test_what_comes_looking_like_what_has_gone_is_neither_counted_nor_spoken_of() -> None:
    scene = scene_of(ALIKE)
    timeline = animated_view(scene, visibility_of(scene))
    assert timeline.mistakable == {1, 2}
    assert len(unclear_events(timeline, LANGUAGE)) == 2
    other = scene_of([ALIKE[0], replace(ALIKE[1], color="yellow"), *ALIKE[2:]])
    assert not animated_view(other, visibility_of(other)).mistakable
    forms = {c.form for c in candidates(ALIKE, "walk", "jump")}
    assert not forms & {"counting.ever", "counting.changes", "temporal.first_event"}
    assert not [c for c in candidates(ALIKE, "walk", "jump") if "ball" in str(c.fills) and "H" in c.fills]


def leaning(scene: Scene, since: int, degrees: float) -> AnimatedView:
    """The story with the actor's body leaning to its side from a frame on."""
    ups = np.tile([0.0, 0.0, 1.0], (FRAMES, 1))
    ups[since:] = (0.0, math.sin(math.radians(degrees)), math.cos(math.radians(degrees)))
    return animated_view(scene, replace(visibility_of(scene), actor_ups=ups))


@pytest.mark.parametrize(("degrees", "firm"), [(0.0, True), (15.0, True), (25.0, False), (170.0, False)])
def test_only_who_stands_upright_has_a_left_and_a_front(degrees: float, firm: bool) -> None:
    scene = scene_of([Prop("ball", "red", 90.0)], acts("walk", "nod"))
    timeline = leaning(scene, 24, degrees)
    then, before = (40, 40), (10, 10)
    assert quarter_truth(timeline, 1, "left", before).ratio >= 1
    assert (quarter_truth(timeline, 1, "left", then).ratio >= 1) == firm
    assert (quarter_truth(timeline, 1, "right", then).ratio <= -1) == firm
    assert (hidden_truth(timeline, 1, "front", then).ratio <= -1) == firm
    assert (travels(timeline, then).ratio >= 1) == firm
    assert (limb_first(timeline, (30, 47), "head").ratio >= 1) == firm


def with_px(scene: Scene, obj: int, px: int, full: int) -> VisibilityGrid:
    """The play in which an object shows so many pixels of so many in the views from the front."""
    visibility = visibility_of(scene)
    for k in (VIEWS - 1, 0, 1):
        visibility.px[k, :, obj], visibility.full_px[k, :, obj] = px, full
    return visibility


@pytest.mark.parametrize(
    ("px", "full", "ratio"), [(0, 2000, 1), (2000, 2000, -1), (900, 900, -1), (300, 300, 0)]
)
def test_what_is_seen_edge_on_is_neither_hidden_nor_in_sight(px: int, full: int, ratio: int) -> None:
    scene = scene_of([Prop("ball", "red", 180.0)])
    grade = hidden_truth(animated_view(scene, with_px(scene, 1, px, full)), 1, "front", (0, 0))
    assert (grade.ratio >= 1, grade.ratio <= -1) == (ratio == 1, ratio == -1)


@pytest.mark.parametrize("px", [20, 300])
def test_what_is_wholly_hidden_is_not_called_mostly_hidden(px: int) -> None:
    props = [Prop("ball", "red", 0.0), Prop("cube", "blue", 90.0), Prop("vase", "green", 180.0)]
    props += [Prop("star", "purple", 270.0, events=(at("vanishes", 24),)), Prop("barrel", "yellow", 45.0)]
    scene = scene_of(props)
    visibility = with_px(scene, 3, px, 2000)
    assert wholly_hidden(animated_view(scene, visibility), 3, "front", (0, 0)) == (px <= 40)
    # It is in sight later on, so that the moment is needed.
    visibility.px[[VIEWS - 1, 0, 1], 13:, 3] = 2000
    found = [c for c in offer(scene, visibility, EAGER).candidates if c.form == "spatial.hidden"]
    assert found
    for c in found:
        (q,), _ = write(scene, visibility, [Selected(c, (c.answer, *c.pool[: CHOICES - 1]))], EAGER)
        assert ("mostly" in q.text) == (px > 40)


def test_a_change_of_a_few_pixels_is_no_anchor_and_no_answer() -> None:
    scene = scene_of(
        [Prop("ball", "red", events=(at("vanishes", 30),)), Prop("cube", "blue", 90.0)],
        acts("walk", "jump"), events=(at("recolours", 10, "paws=green"),),
    )  # fmt: skip
    visibility = visibility_of(scene)
    assert not [
        h for h in animated_view(scene, visibility).happenings if faint(animated_view(scene, visibility), h)
    ]
    visibility.part_px[:, :, 1] = 60
    visibility.part_px[3, :, 1] = 900
    timeline = animated_view(scene, visibility)
    (event,) = [h for h in timeline.happenings if faint(timeline, h)]
    assert event.key.endswith("paws=green")
    for c in offer(scene, visibility, EAGER).candidates:
        assert "paws=green" not in str(c.fills) + c.answer.key + str([o.key for o in c.pool])
        assert c.form not in ("temporal.first_event", "counting.changes", "appearance.part_then")


def test_needs_name_only_the_views_in_which_a_change_shows() -> None:
    scene = scene_of([Prop("ball", "red", events=(at("vanishes", 24),)), Prop("cube", "blue", 90.0)],
                     acts("walk", "jump"))  # fmt: skip
    visibility = visibility_of(scene)
    visibility.px[4:, :, 1], visibility.full_px[4:, :, 1] = 500, 500
    for c in offer(scene, visibility, EAGER).candidates:
        (q,), _ = write(scene, visibility, [Selected(c, (c.answer, *c.pool[: CHOICES - 1]))], EAGER)
        assert q.evidence is not None
        told = [n for n in q.evidence.needs if n.what.endswith("vanishes:red ball")]
        assert all(set(n.cells) <= {0, 1, 2, 3} for n in told)


@pytest.mark.parametrize(("color", "plain"), [("brown", False), ("blue", True)])
def test_a_change_to_a_color_that_is_hard_to_tell_is_not_spoken_of(color: str, plain: bool) -> None:
    scene = scene_of([Prop("ball", "red", events=(at("recolours", 24, color),))])
    assert (not unclear_events(animated_view(scene, visibility_of(scene)), LANGUAGE)) == plain


def test_what_falls_goes_neither_up_nor_down_among_the_choices() -> None:
    words = {**EAGER.verbs, "fall": ActionWords("fall", "falling", "falls", (), True)}
    recipe = replace(EAGER, verbs=words)
    scene = scene_of([Prop("ball", "red")], acts("walk", "fall"))
    visibility = visibility_of(scene)
    visibility.limb_centres_m[:, 0, :] = np.linspace(0, 0.5, FRAMES)[:, None] * np.array([0.1, 1.0, -0.2])
    found = [c for c in offer(scene, visibility, recipe).candidates if c.form == "action.limb_way"]
    assert found
    assert not [c for c in found if {"up", "down"} & {c.answer.key, *(o.key for o in c.pool)}]


def test_what_is_worn_is_no_rival_of_what_stands_on_the_ground() -> None:
    hat = Prop("hat", "purple", attributes={"worn_on": "head"})
    props = [*CHANGE_OF_NAME[1:], Prop("ladder", "purple", 300.0), hat]
    found = [c for c in candidates(props, "walk", "jump") if c.form in ("temporal.which", "appearance.which")]
    assert found
    assert not [c for c in found if "hat" in {o.key for o in c.pool}]


def test_what_everybody_knows_is_asked_only_where_it_is_not_so() -> None:
    scene = scene_of([Prop("ball", "red")], acts("eat", "walk"))
    parts = {"eyes": {"color": "black", "word": "eyes"}, "coat": {"color": "brown", "word": "coat"}}
    actor = msgspec.structs.replace(scene.objects[0], parts=parts)
    plain = msgspec.structs.replace(scene, objects=(actor, *scene.objects[1:]))
    visibility = replace(visibility_of(plain), parts=((0, "eyes"), (0, "coat")))
    asked = {(c.form, f.key) for c in offer(plain, visibility, EAGER).candidates for f in c.fills.values()}
    assert not {("appearance.part", "coat"), ("appearance.part", "eyes"), ("action.limb", "eat")} & asked
    assert asked_of_parts(dyed(plain, "color:coat=brown"), visibility) == {"coat"}
    edit = {"counterfactual": "exchanged colours", "about": "color of the eyes", "expected": "red"}
    edited = msgspec.structs.replace(plain, source=edit)
    asked = {(c.form, f.key) for c in offer(edited, visibility, EAGER).candidates for f in c.fills.values()}
    assert ("appearance.part", "eyes") in asked


def dyed(scene: Scene, *edits: str) -> Scene:
    """Return a scene whose actor was given other colors: no longer those that such animals have."""
    actor = scene.objects[0]
    assert actor.asset is not None
    actor = msgspec.structs.replace(actor, asset=msgspec.structs.replace(actor.asset, edits=edits))
    return msgspec.structs.replace(scene, objects=(actor, *scene.objects[1:]))


def asked_of_parts(scene: Scene, visibility: VisibilityGrid) -> set[str]:
    found = offer(scene, visibility, EAGER).candidates
    return {f.key for c in found if c.form == "appearance.part" for f in c.fills.values()}


def test_no_fact_is_asked_twice_of_a_film_and_none_that_another_question_tells() -> None:
    told = 0
    for found in chosen().by_scene().values():
        asks = [fact for p in found for fact in p.candidate.asks]
        assert len(asks) == len(set(asks))
        for p in found:
            others = {fact for o in found if o is not p for fact in o.candidate.asks}
            assert not others & set(p.candidate.tells)
        told += len(asks)
        deeds = Counter(p.candidate.answer.key for p in found if p.candidate.form.startswith("action."))
        assert max(deeds.values(), default=0) <= MOST_DEEDS
    assert told


def test_no_action_is_always_what_comes_next() -> None:
    picked = [p.candidate for found in chosen().by_scene().values() for p in found]
    nexts = Counter(c.answer.key for c in picked if c.form in LANGUAGE.next_forms)
    assert nexts
    assert max(nexts.values()) <= NEXT_FREE + NEXT_SHARE * sum(nexts.values()) + 1


def test_numbers_are_even_among_the_choices_that_they_stand_in() -> None:
    """Which number of four is right is chance: none is more than three standard deviations from a quarter."""
    rows: dict[tuple[str, ...], Counter[str]] = {}
    ranks: Counter[str] = Counter()
    every = [f for seed in ("seed", "a") for f in chosen(seed).by_scene().values()]
    for p in (p for found in every for p in found):
        if p.candidate.template.asks == "numbers":
            keys = tuple(sorted(o.key for o in p.options))
            rows.setdefault(keys, Counter(dict.fromkeys(keys, 0)))[p.candidate.answer.key] += 1
            ranks[str(keys.index(p.candidate.answer.key))] += 1
    assert ranks.total() > 10
    for counts in (*rows.values(), ranks):
        n = counts.total()
        assert all(abs(counts[k] - n / 4) <= 3 * math.sqrt(n * 3 / 16) for k in counts)


def test_of_pointed_parts_none_is_a_choice_beside_another() -> None:
    stage: Any = SimpleNamespace(growths_at=lambda place: tuple(GROWTHS))
    form = next(f for f in templates("alone") if f.id == "appearance.grown_on")
    offered: Any = lambda answer: {
        key for key, _ in SOURCES["growths"](stage, form, {"Q": Fill("back", {})}, answer, Supply({}, (), ()))
    }
    pointed, sharp, _ = TAKEN_FOR
    assert offered("flower") > pointed | sharp
    for own, group in (("fin", pointed), ("crystal", sharp), ("horn", pointed | sharp)):
        assert not offered(own) & group and "flower" in offered(own)


def test_the_words_are_plain() -> None:
    stilted = (
        "happenings", "in the moment after", "in the moment before", "which color do", "wears or holds",
        "begin first", "finish last", "which color is what",
    )  # fmt: skip
    texts = [t for f in templates() for t in f.texts] + [
        w for ways in LANGUAGE.moments.values() for w in ways
    ]
    assert not [(t, s) for t in texts for s in stilted if s in t.lower()]


def test_a_part_is_named_once_in_a_sentence() -> None:
    coat = Fill("coat", {"said": ("coat",), "is": ("is",), "it": ("it",)})
    moment = Fill("before", {"said": ("just before the fox's coat turns blue",)})
    fills = {"P": coat, "M": moment}
    assert sentence("What color {P.is} the {actor}'s {P} {M}?", "fox", fills, 0) == (
        "What color is the fox's coat just before it turns blue?"
    )


def test_two_moments_of_one_count_are_of_different_events() -> None:
    found = [c for c in candidates(CHANGE_OF_NAME, "walk", "jump") if c.form == "counting.both_times"]
    assert found
    for c in found:
        keys = [c.fills[slot].key.partition(" ")[2] for slot in ("M", "K")]
        assert not all(keys) or keys[0] != keys[1]


def test_which_way_it_faces_is_not_asked_of_a_body_that_its_clip_turns() -> None:
    def asked(turn_deg: float) -> bool:
        scene = scene_of((), acts("walk", "jump"))
        grid = visibility_of(scene)
        legs = [(x, y, 0.0) for x in (0.2, -0.2) for y in (0.1, -0.1)]
        at_rest = np.array([(0.4, 0.0, 0.3), (-0.4, 0.0, 0.3), *legs])
        angles = np.radians(np.where(np.abs(np.arange(FRAMES) - 24) < 4, turn_deg, 0.0))
        c, s = np.cos(angles), np.sin(angles)
        grid.limb_centres_m[:, :, 0] = c[:, None] * at_rest[:, 0] - s[:, None] * at_rest[:, 1]
        grid.limb_centres_m[:, :, 1] = s[:, None] * at_rest[:, 0] + c[:, None] * at_rest[:, 1]
        grid.limb_centres_m[:, :, 2] = at_rest[:, 2]
        forms = tuple(f for f in templates() if f.id == "spatial.faces")
        found = offer(scene, grid, replace(EAGER, forms=forms, tries=400)).candidates
        return any(c.fills["M"].key == "whole" for c in found)

    assert asked(0) and asked(20) and not asked(60)
