"""Words for an object mislead nobody: none is said in vain, by what is hardly seen, or true by chance."""

from __future__ import annotations

import numpy as np
import pytest

from fathom.programs.operators.selecting import MOTION_WORDS, RELATION_WORDS, rests
from fathom.programs.referring import Expression, expressions
from fathom.programs.synonyms import calls, paints
from fathom.programs.views.video import VideoView
from fathom.records import InputError, SceneObject
from fathom.store.seeds import rng
from tests.tracks.test_referring import COLORS, random_desk, words_of
from tests.tracks.worlds import level_view, obj, pose, refer, tracks

BEHIND = (*RELATION_WORDS.values(), *MOTION_WORDS.values(), "closest to")
PLATE = obj("p", (0, 0, 0), noun="plate", color="white", size=(0.3, 0.3, 0.03))


def hazy_desk(seed: int) -> VideoView:
    """A table of which only some objects are clear, in some of the frames in which they are seen."""
    t = random_desk(seed)
    clear = t.seen & (rng(seed, "haze").random(t.seen.shape) < 0.7)
    clear &= rng(seed, "far").random(t.seen.shape[1]) < 0.6
    return t.with_seen(t.shown.tolist(), t.seen, clear)


def said_behind(e: Expression) -> bool:
    return any(f" {words} " in f"{e.words} " for words in BEHIND)


def alike(t: VideoView, e: Expression) -> set[int]:
    """What somebody may well call by the noun and the colour of an expression, the object itself left out."""
    noun, color = (next((s.args[0] for s in e.program if s.op == op), "") for op in ("named", "colored"))
    color = color if e.words.removeprefix("the ").split()[0] in COLORS else ""
    return {
        k
        for k, name in enumerate(t.objects)
        if name not in (e.object_id, e.anchor)
        and calls(noun, t.names[k])
        and (not color or paints(color, t.colors[k]))
    }


def test_what_is_said_behind_a_noun_tells_a_object_from_another_that_is_clear() -> None:
    told = 0
    for seed in range(60):
        t = hazy_desk(seed)
        ever = set(np.flatnonzero(t.clear_in((0, t.frames - 1)).any(axis=0)).tolist())
        for e in expressions(t).values():
            if e is not None and said_behind(e):
                assert ever & alike(t, e), e.words
                told += 1
    assert told > 20


def test_objects_are_told_by_what_is_clear() -> None:
    told = 0
    for seed in range(60):
        t = hazy_desk(seed)
        whole, part = (0, t.frames - 1), (int(t.shown[2]), int(t.shown[4]))
        for span, found in ((whole, expressions(t)), (part, expressions(t, part))):
            clear = t.clear_in(span)
            for e in found.values():
                if e is not None and e.anchor:
                    seen = clear[:, t.index(e.anchor)]
                    assert seen.any() if span == whole else seen.all(), e.words
                    told += 1
    assert told > 20


def test_the_only_police_car_is_not_told_by_what_stands_beside_it() -> None:
    bench = obj("bench", (0, 0, 0), "bench", "brown", (0.5, 1.5, 0.8))
    police = obj("police", (0, 4, 0), "police car", "white", (4, 2, 1.5))
    plain = obj("plain", (0, -9, 0), "car", "white", (4, 2, 1.5))
    alone = tracks(police, bench, setting="outdoor")
    assert words_of(alone, "police") == "the police car"
    # The other one might be a police car too, for all that can be seen of it.
    unsure = tracks(police, plain, bench, setting="outdoor")
    assert refer(unsure, "police") is None
    second = obj("second", (0, -19, 0), "police car", "white", (4, 2, 1.5))
    both = tracks(police, second, bench, setting="outdoor")
    assert words_of(both, "police") == "the police car to the left of the bench"


def test_a_second_one_that_nobody_sees_clearly_is_not_told_apart() -> None:
    t = tracks(obj("a", (0, 1, 0)), obj("b", (0, -1, 0)), PLATE)
    assert words_of(t, "a") == "the mug to the left of the plate"
    seen = np.ones((2, 3), dtype=bool)
    hazy = t.with_seen([0, 299], seen, np.array([[True, False, True]] * 2))
    assert words_of(hazy, "a") is None


def test_a_object_is_not_told_by_what_is_hardly_seen() -> None:
    t = tracks(obj("a", (0, 1, 0)), obj("b", (0, -1, 0)), PLATE)
    hazy = t.with_seen([0, 299], np.ones((2, 3), dtype=bool), np.array([[True, True, False]] * 2))
    assert words_of(hazy, "a") is None
    first = np.array([[True] * 3, [True, True, False], [True, True, False]])
    at_first = t.with_seen([0, 150, 299], np.ones((3, 3), dtype=bool), first)
    assert words_of(at_first, "a") == "the mug to the left of the plate"
    assert expressions(at_first, (150, 299))["a"] is None


def walked_round(*more: SceneObject) -> VideoView:
    """The camera walks round a plate, so that only "closest" holds of one of two mugs all the time."""
    camera = [pose((-4, 0, 1.5), level_view(0))] * 150 + [pose((4, 0, 1.5), level_view(np.pi))] * 150
    return tracks(obj("a", (0, 1, 0)), obj("b", (0, -2, 0)), *more, PLATE, camera=camera)


def test_closest_is_said_of_what_rests_beside_the_only_object_of_its_kind() -> None:
    assert words_of(walked_round(), "a") == "the mug closest to the plate"
    second = obj("q", (0, 6, 0), noun="plate", color="blue", size=(0.3, 0.3, 0.03))
    assert "closest" not in str(words_of(walked_round(second), "a"))
    slow = [pose((0, -1 - 0.003 * k, 0)) for k in range(300)]
    third = walked_round(obj("c", slow))
    assert rests(third, 0, (0, 299)) and not rests(third, 2, (0, 299))
    assert "closest" not in str(words_of(third, "b"))
    assert "closest" not in str(words_of(third, "a"))


def test_what_is_closest_is_closer_than_what_is_out_of_sight_too() -> None:
    hidden = walked_round(obj("c", (0, -0.5, 0)))
    seen = np.array([[True, True, False, True]] * 2)
    assert words_of(hidden.with_seen([0, 299], seen), "a") is None
    far = walked_round(obj("c", (0, -9.5, 0)))
    assert words_of(far.with_seen([0, 299], seen), "a") == "the mug closest to the plate"


@pytest.mark.parametrize(
    ("noun", "own", "said"),
    [
        ("car", "police car", True), ("police car", "car", False), ("mug", "cup", True),
        ("chair", "armchair", True), ("armchair", "chair", False),
        ("potted plant", "cactus", True), ("cactus", "potted plant", False),
        ("van", "bus", False),
    ],
)  # fmt: skip
def test_a_noun_is_said_of_narrower_ones_but_not_of_wider_ones(noun: str, own: str, said: bool) -> None:
    assert calls(noun, own) is said


def test_a_cactus_may_be_meant_by_the_potted_plant() -> None:
    t = tracks(obj("a", (0, 1, 0), noun="potted plant"), obj("b", (0, -1, 0), noun="cactus"))
    assert expressions(t) == {"a": None, "b": None}


def test_relations_to_the_camera_are_told_in_a_clause() -> None:
    t = tracks(obj("a", (-1, 0, 0)), obj("b", (2, 0, 0)), obj("p", (0.5, 0, 0), "plate", "white"))
    assert words_of(t, "a") == "the mug that is closer to the camera than the plate"


def test_a_mask_of_another_shape_is_refused() -> None:
    t = tracks(obj("a", (0, 1, 0)))
    with pytest.raises(InputError, match="must be told for 2 frames"):
        t.with_seen([0, 299], np.ones((2, 1), dtype=bool), np.ones((1, 1), dtype=bool))
