"""Referring expressions: unique by brute force, minimal, and true at all times that are shown."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

import numpy as np
import pytest

from fathom.programs.degeneracy import unneeded
from fathom.programs.engine import traced
from fathom.programs.operators import relations as r
from fathom.programs.operators.selecting import closest, visible
from fathom.programs.referring import Expression, expressions
from fathom.programs.values import Unanswerable, members
from fathom.programs.views.video import VideoView, video_view
from fathom.records import Pose
from fathom.store.seeds import rng
from tests.tracks.worlds import FPS, level_view, obj, pose, refer, tracks, video, walked

NOUNS = ("mug", "plate", "box", "can")
COLORS = ("red", "blue", "white", "")
WORDS = {
    "to the left of": "left", "to the right of": "right", "that is closer to the camera than": "front",
    "that is farther from the camera than": "behind", "above": "above", "below": "below", "on": "on",
}  # fmt: skip


def words_of(t: VideoView, object_id: str) -> str | None:
    found = refer(t, object_id)
    return found.words if found else None


@lru_cache
def random_desk(seed: int) -> VideoView:
    """A camera that slides along a table of 4 to 12 objects; some move; each is seen in some frames."""
    g = rng(seed, "desk")
    shown = np.linspace(0, 299, 12).astype(int)
    count = int(g.integers(4, 13))
    objects = []
    for k in range(count):
        spot, v = np.array([*g.uniform(-1, 1, 2), 0.0]), np.array([*g.normal(size=2) * 0.06, 0.0])
        poses: list[Pose] = [pose(spot)]
        if g.random() < 0.3:
            poses = [pose(spot + v * i / FPS) for i in range(300)]
        noun, color = str(g.choice(NOUNS)), str(g.choice(COLORS))
        objects.append(obj(f"t{k}", poses, noun=noun, color=color, size=(0.1, 0.1, 0.1)))
    camera = [pose((-2.5, 0.002 * i, 0.8), level_view(0.0)) for i in range(300)]
    t = video_view(video(objects, camera, setting="desktop"))
    return t.with_seen(shown.tolist(), g.random((len(shown), count)) < 0.8)


def fits(t: VideoView, k: int, words: str) -> bool:
    """Whether words fit an object, worked out anew from noun, colour, relation at each time, motion."""
    words = words.removeprefix("the ")
    for said, word in WORDS.items():
        head, found, rest = words.partition(f" {said} the ")
        if found:
            return fits(t, k, f"the {head}") and stands(t, k, word, object_called(t, f"the {rest}"))
    head, found, rest = words.partition(" closest to the ")
    if found:
        return is_closest(t, k, f"the {head}", object_called(t, f"the {rest}"))
    head, found, rest = words.partition(" that ")
    if found:
        return fits(t, k, f"the {head}") and (moves(t, k) if rest == "moves" else not moves(t, k))
    *color, noun = words.split()
    return t.names[k] == noun and (not color or t.colors[k] == color[0])


def ever_seen(t: VideoView) -> list[int]:
    return [k for k in range(len(t.objects)) if t.seen[:, k].any()]


def object_called(t: VideoView, words: str) -> int:
    (only,) = [k for k in ever_seen(t) if fits(t, k, words)]
    return only


def stands(t: VideoView, k: int, word: str, anchor: int) -> bool:
    """Whether an object is on a side of another in every frame in which both are seen."""
    both = t.shown[t.seen[:, k] & t.seen[:, anchor]]
    if k == anchor or not len(both):
        return False
    view = {"left": 1, "right": -1, "front": 0, "behind": 0}.get(word)
    a, b = t.centres_m[k, both], t.centres_m[anchor, both]
    if view:  # this camera looks along world x, and its left is world y
        return bool((view * (a - b)[:, 1] > 0).all())
    away = a[:, 0] - b[:, 0]
    return bool(((away if word == "behind" else -away) > 0).all())


def moves(t: VideoView, k: int) -> bool:
    places = t.centres_m[k, t.shown[t.seen[:, k]]]
    return bool(np.linalg.norm(places - places[0], axis=1).max() > 0.5 * t.rules.leg_m)


def is_closest(t: VideoView, k: int, words: str, anchor: int) -> bool:
    rivals = [j for j in ever_seen(t) if j != anchor and fits(t, j, words)]
    frames = t.shown[t.seen[:, anchor]]
    far = {j: np.linalg.norm(t.centres_m[j, frames] - t.centres_m[anchor, frames], axis=1) for j in rivals}
    return k in rivals and all((far[k] < far[j]).all() for j in rivals if j != k)


@pytest.mark.parametrize("seed", range(60))
def test_an_expression_fits_one_object_of_all_that_are_ever_seen(seed: int) -> None:
    t = random_desk(seed)
    for name, e in expressions(t).items():
        if e is not None:
            assert [t.objects[k] for k in ever_seen(t) if fits(t, k, e.words)] == [name], e.words


def test_the_program_of_an_expression_selects_its_object_firmly_and_needs_every_filter() -> None:
    count = 0
    for seed in range(60):
        t = random_desk(seed)
        for name, e in expressions(t).items():
            if e is None:
                continue
            found = traced(e.program, t)
            assert t.objects[found.values[-1]] == name
            assert found.least.ratio == pytest.approx(e.grade.ratio)
            assert e.grade.ratio >= 1
            assert unneeded(e.program, t) == (), e.words
            count += 1
    assert count > 250


def plain(t: VideoView, noun: str, color: str | None) -> list[int]:
    return [k for k in ever_seen(t) if t.names[k] == noun and color in (None, t.colors[k])]


def test_no_expression_could_do_without_one_of_its_modifiers() -> None:
    """Nouns and colours alone, and one relation, tried out one by one."""
    used = set()
    for seed in range(60):
        t = random_desk(seed)
        for name, e in expressions(t).items():
            if e is None or e.modifiers == 0:
                continue
            k = t.index(name)
            assert plain(t, t.names[k], None) != [k]
            if e.modifiers == 2:
                unnamed = any(t.colors[j] == "" for j in plain(t, t.names[k], None))
                assert plain(t, t.names[k], t.colors[k]) != [k] or not t.colors[k] or unnamed
            used |= {w for w in (*WORDS, "closest to", "that moves", "that does not move") if w in e.words}
    assert {"to the left of", "to the right of", "closest to", "that moves"} <= used


def test_a_colour_is_said_only_where_it_is_needed() -> None:
    t = tracks(obj("a", (0, 1, 0)), obj("b", (0, -1, 0), color="blue"), obj("p", (0, 0, 0), noun="plate"))
    assert [words_of(t, k) for k in "abp"] == ["the red mug", "the blue mug", "the plate"]


def test_two_of_a_kind_are_told_apart_by_what_they_stand_beside() -> None:
    t = tracks(
        obj("a", (0, 1, 0)),
        obj("b", (0, -1, 0)),
        obj("p", (0, 0.2, 0), noun="plate", color="white", size=(0.3, 0.3, 0.03)),
    )
    assert words_of(t, "a") == "the mug to the left of the plate"
    assert words_of(t, "b") == "the mug to the right of the plate"


def test_the_other_object_has_its_colour_where_it_needs_it() -> None:
    plates = [
        obj("p", (0, 0.3, 0), noun="plate", color="white", size=(0.3, 0.3, 0.03)),
        obj("q", (0, -3.5, 0), noun="plate", color="blue", size=(0.3, 0.3, 0.03)),
    ]
    t = tracks(obj("a", (0, 1, 0)), obj("b", (0, -1, 0)), *plates)
    assert words_of(t, "a") == "the mug to the left of the white plate"


def test_what_turns_is_told_from_what_goes_straight_and_what_stands() -> None:
    vans = []
    for k, legs in enumerate(
        (
            [("straight", 9.0, 1.5), ("right", 60, 20), ("straight", 2.0, 1.5)],
            [("straight", 9.0, 1.5), ("left", 60, 20), ("straight", 2.0, 1.5)],
        )
    ):
        places, _ = walked(*legs)
        vans.append(
            obj(
                f"v{k}",
                [pose(p + np.array([10, 30 * k, 0])) for p in places[:300]],
                "van",
                "white",
                (5, 2, 2),
            )
        )
    parked = obj("v2", (20, -12, 0), "van", "white", (5, 2, 2))
    t = tracks(*vans, parked, setting="outdoor")
    assert words_of(t, "v0") == "the van that turns right"
    assert words_of(t, "v1") == "the van that turns left"
    assert words_of(t, "v2") == "the van that does not move"


def test_a_relation_that_does_not_last_is_not_used() -> None:
    """From behind the two mugs, the camera walks round the plate: what was left of it is right of it."""
    camera = [pose((-4, 0, 1.5), level_view(0))] * 150 + [pose((4, 0, 1.5), level_view(np.pi))] * 150
    objects = (obj("a", (0, 1, 0)), obj("b", (0, -1, 0)), obj("p", (0, 0.2, 0), noun="plate"))
    t = tracks(*objects, camera=camera)
    assert words_of(t, "a") == "the mug closest to the plate"
    assert words_of(t, "b") is None
    early = refer(t, "b", t.span(0, 4))
    assert early is not None
    assert early.words == "the mug to the right of the plate"
    assert early.program[0].args == ("0", "4")


def test_what_is_never_seen_is_no_rival_and_has_no_name() -> None:
    t = tracks(obj("a", (0, 1, 0)), obj("b", (0, -1, 0)))
    assert expressions(t) == {"a": None, "b": None}
    seen = np.array([[True, False], [True, False]])
    hidden = t.with_seen([0, 299], seen)
    assert words_of(hidden, "a") == "the mug"
    assert refer(hidden, "b") is None


def test_what_might_be_called_the_same_is_a_rival() -> None:
    cup = tracks(obj("a", (0, 1, 0), noun="mug"), obj("b", (0, -1, 0), noun="cup"))
    assert expressions(cup) == {"a": None, "b": None}
    office = tracks(obj("a", (0, 1, 0), noun="chair"), obj("b", (0, -1, 0), noun="office chair"))
    assert expressions(office)["a"] is None
    nameless = tracks(obj("a", (0, 1, 0), color="red"), obj("b", (0, -1, 0), color=""))
    assert words_of(nameless, "a") is None
    grays = tracks(obj("a", (0, 1, 0), color="gray"), obj("b", (0, -1, 0), color="silver"))
    assert words_of(grays, "a") is None


def test_what_is_on_another_object_is_said_to_be() -> None:
    t = tracks(
        obj("a", (0, 0, 0.1), size=(0.1, 0.1, 0.1)),
        obj("b", (0, 0, 0), size=(0.1, 0.1, 0.1)),
        obj("box", (0, 0, 0), noun="box", size=(0.4, 0.4, 0.1)),
    )
    assert words_of(t, "a") == "the mug on the box"


def test_structure_is_neither_named_nor_a_rival() -> None:
    t = tracks(obj("a", (0, 1, 0)), obj("w", (3, 0, 0), noun="mug", category="structure"))
    assert set(expressions(t)) == {"a"}
    assert members(visible(t, (0, 299))) == (0,)


def test_relations_look_only_at_frames_that_show_both_objects() -> None:
    """The mug crosses to the other side while it cannot be seen."""
    way = [pose((0, 1 if k < 150 else -1, 0)) for k in range(300)]
    objects = (obj("a", way), obj("b", (0.0, -2.5, 0)), obj("p", (0, 0, 0), noun="plate"))
    t = tracks(*objects)
    both = t.with_seen([0, 299], np.array([[True, True, True], [True, True, True]]))
    assert words_of(both, "a") != "the mug to the left of the plate"
    early = t.with_seen([0, 299], np.array([[True, True, True], [False, True, True]]))
    assert words_of(early, "a") == "the mug to the left of the plate"


def test_the_closest_object_is_so_by_centres_and_by_nearest_points() -> None:
    t = tracks(
        obj("a", (0, 1.0, 0)),
        obj("b", (0, -1.6, 0)),
        obj("bed", (0, 0, 0), noun="bed", size=(0.5, 0.5, 0.3)),
    )
    chosen, grade = closest(t, visible(t, (0, 299)), 2, (0, 299))
    assert t.objects[chosen] == "a"
    assert grade.ratio > 1


def test_what_is_closest_is_seen_wherever_another_one_would_look_so() -> None:
    t = tracks(
        obj("a", (0, 1.0, 0)), obj("b", (0, -1.6, 0)),
        obj("bed", (0, 0, 0), noun="bed", size=(0.5, 0.5, 0.3)),
    )  # fmt: skip
    alone = t.with_seen([0, 299], np.array([[True, True, True], [False, False, True]]))
    assert alone.objects[closest(alone, visible(alone, (0, 299)), 2, (0, 299))[0]] == "a"
    away = t.with_seen([0, 299], np.array([[True, True, True], [False, True, True]]))
    with pytest.raises(Unanswerable, match="the closest one is not"):
        closest(away, visible(away, (0, 299)), 2, (0, 299))


def test_expressions_do_not_hang_on_the_order_of_objects() -> None:
    for seed in range(20):
        t = random_desk(seed)
        back = turned_round(t)
        here, there = expressions(t), expressions(back)
        assert {k: e.modifiers if e else None for k, e in here.items()} == {
            k: e.modifiers if e else None for k, e in there.items()
        }


def turned_round(t: VideoView) -> VideoView:
    """The same video with its objects listed the other way round."""
    return replace(
        t,
        **{
            k: getattr(t, k)[::-1]
            for k in ("objects", "names", "colors", "stands", "fronts", "positions_m", "rotations")
        },
        **{k: getattr(t, k)[::-1] for k in ("valid", "sigmas_m", "sigmas_rad", "sizes_m")},
        seen=t.seen[:, ::-1],
        memo={},
    )


def test_opposite_words_never_both_hold() -> None:
    for seed in range(10):
        t = random_desk(seed)
        for word, other in r.OPPOSITE.items():
            for anchor in range(len(t.objects)):
                a, b = (r.ratios(t, w, anchor, t.shown) for w in (word, other))
                assert a == pytest.approx(-b)


def test_what_is_never_seen_together_is_not_told_by_one_another() -> None:
    t = tracks(obj("a", (0, 1, 0)), obj("b", (0, -1, 0)), obj("p", (0, 0, 0), noun="plate"))
    apart = t.with_seen([0, 299], np.array([[True, True, False], [False, False, True]]))
    assert {k: _said(e) for k, e in expressions(apart).items()} == {"a": None, "b": None, "p": "the plate"}


def _said(e: Expression | None) -> str | None:
    return e.words if e else None


def test_the_colour_of_people_is_that_of_what_they_wear() -> None:
    walkers = [obj(c, (0, k, 0), noun="pedestrian", color=c) for k, c in enumerate(("blue", "red"))]
    assert words_of(tracks(*walkers), "red") == "the pedestrian in red"
