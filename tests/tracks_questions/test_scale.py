"""Metres are known from what stands in a video, and no size is asked that its noun tells."""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import pairwise

import msgspec
import numpy as np
import pytest

from fathom.assets.sizes import WIDE, drawn_factors, log_deviation, log_range, near, wide
from fathom.programs.engine import run
from fathom.questions.balancing.video import chosen
from fathom.questions.contexts.video import WHOLE, video_context
from fathom.questions.contexts.video_precision import precision_of
from fathom.questions.contexts.video_scale import scale_of
from fathom.questions.contexts.video_visibility import Reading, Sights
from fathom.questions.numeric.guessers import guessers
from fathom.questions.numeric.size_guesser import noun_of
from fathom.questions.sampling.video import drafted
from fathom.questions.video_candidate import VideoCandidate
from fathom.questions.writing.video import written
from fathom.records import Question, Scene, Step
from fathom.scenes.videos.size_spread import UsualSide, spread_of, usual_side
from tests.tracks.worlds import level_view, obj, pose, video
from tests.tracks_questions.conftest import RECIPE
from tests.tracks_questions.worlds import projected, street

Worlds = dict[str, tuple[Scene, Sights]]
READING = Reading(least_scale=0.0)


def test_more_objects_and_steadier_ones_tell_metres_more_finely() -> None:
    spreads = [0.11, 0.05, 0.2, 0.05, 0.3]
    found = [scale_of(spreads[: n + 1], READING) for n in range(len(spreads))]
    assert all(more < less for less, more in pairwise(found))
    for k, spread in enumerate(spreads):
        steadier = [*spreads[:k], spread / 2, *spreads[k + 1 :]]
        assert scale_of(steadier, READING) < scale_of(spreads, READING)
    assert scale_of([0.1], READING) == pytest.approx(0.1)
    assert scale_of([0.1] * 10_000, READING) == pytest.approx(0.1 * math.sqrt(READING.alike), rel=1e-3)
    assert scale_of([0.001], Reading()) == Reading().least_scale
    assert math.isinf(scale_of([], READING))


def test_spreads_are_those_of_what_is_drawn(worlds: Worlds) -> None:
    """The shares by which mugs and bottles differ are those of the mugs and bottles in worlds."""
    for nouns, expected in (
        (("mug", "can", "plate", "teapot"), "mug"),
        (("bottle", "bowl", "vase"), "bottle"),
    ):
        heights: dict[str, list[float]] = {}
        for scene, _ in worlds.values():
            for one in scene.objects:
                if one.subtype in nouns:
                    heights.setdefault(one.subtype, []).append(math.log(one.size_m[2]))
        many = [np.array(found) for found in heights.values() if len(found) > 2]
        within = np.concatenate([found - found.mean() for found in many])
        drawn = math.sqrt(float((within**2).sum()) / (len(within) - len(many)))
        assert drawn == pytest.approx(spread_of("desktop", expected), rel=0.4)
    assert spread_of("desktop", "mug") < spread_of("desktop", "gizmo") < spread_of("desktop", "bottle") / 2
    assert spread_of("outdoor", "car") < spread_of("outdoor", "bush") / 3
    assert spread_of("indoor", "chair") == pytest.approx(math.log(1.05) / math.sqrt(3))


def test_what_comes_in_all_sizes_is_known_for_each_side() -> None:
    assert not usual_side("desktop", "built-in:mug", "mug", 2).all_sizes  # type: ignore[union-attr]
    bottle = usual_side("desktop", "built-in:bottle", "bottle", 2)
    assert bottle is not None and bottle.all_sizes and bottle.middle_m == pytest.approx(0.24, rel=0.01)
    # Tables are as high as tables are, and as long as there is room.
    sides = [usual_side("indoor", "built-in:dining table", "dining table", axis) for axis in range(3)]
    assert [s is not None and s.all_sizes for s in sides] == [True, True, False]
    assert usual_side("indoor", "pack:table", "table", 0) is None


def test_a_size_is_drawn_anywhere_between_its_ends() -> None:
    g = np.random.default_rng(1)
    varies = (wide("xyz"), near("z"))
    logs = np.log([drawn_factors(g, varies) for _ in range(4000)])
    low, high = log_range(varies, 2)
    assert low < logs[:, 2].min() < low + 0.1 and high - 0.1 < logs[:, 2].max() < high
    assert np.ptp(logs[:, 0]) <= math.log(WIDE) and (logs[:, 0] == logs[:, 1]).all()
    for axis in (0, 2):
        assert logs[:, axis].std() == pytest.approx(log_deviation(varies, axis), rel=0.05)
    assert (drawn_factors(g, varies, 0.0) == 1.0).all()


def test_on_tables_metres_are_known_to_a_twentieth(worlds: Worlds) -> None:
    stages = [video_context(scene, visibility, RECIPE) for scene, visibility in worlds.values()]
    assert np.mean([s.scale <= 0.06 for s in stages]) > 0.8
    scene = street()
    assert video_context(scene, projected(scene), RECIPE).scale == RECIPE.reading.least_scale


def test_the_precision_of_a_small_scene_is_known() -> None:
    """Three objects on a table, a mug 10 cm high at 1 m: 2 pixels of 500 at its two ends, and the scale."""
    eye = [pose((0.001 * t, 0.0, 0.05), level_view(math.pi / 2)) for t in range(300)]
    objects = [
        obj("mug", (0.3, 1.0, 0.0), "mug", "red", (0.1, 0.1, 0.1)),
        obj("can", (0.1, 1.1, 0.0), "can", "blue", (0.07, 0.07, 0.12)),
        obj("book", (0.55, 1.1, 0.0), "book", "green", (0.15, 0.1, 0.03)),
    ]
    scene = video(objects, eye, setting="desktop")
    stage = video_context(scene, projected(scene), RECIPE)
    assert len(stage.objects) == 3
    known = [math.log(1.1) / math.sqrt(3)] * 2 + [
        math.hypot(math.log(2.4) / 2, math.log(1.08)) / math.sqrt(3)
    ]
    own = 1 / sum(1 / s**2 for s in known)
    assert stage.scale == pytest.approx(math.sqrt((known[0] ** 2 + own) / 2))
    height = next(f for f in RECIPE.forms if f.id == "height")
    steps = (Step(op="whole"), Step(op="visible", inputs=(0,)), Step(op="named", inputs=(1,), args=("mug",)),
             Step(op="the", inputs=(2,)), Step(op="height", inputs=(3,)))  # fmt: skip
    answered = replace(run(steps, stage.tracks), tolerance=(0.0,))
    t = stage.tracks
    nearest = float(np.linalg.norm(t.centres_m[0, t.shown] - t.eyes_m[t.shown], axis=1).min())
    found = precision_of(stage, height, [0], WHOLE, answered)
    pixels = math.sqrt(2) * RECIPE.reading.edge_px * nearest / min(t.focal_px)
    assert found == pytest.approx(math.hypot(stage.scale * 0.1, pixels))
    assert found / 0.1 > 0.04


def _sizes(
    candidates: list[VideoCandidate], factors: np.ndarray, usual: UsualSide | None = None
) -> list[VideoCandidate]:
    """One height of a mug in each of many videos, by these factors of 12 cm."""
    one = next(d for d in candidates if d.template.id == "height")
    return [
        replace(
            one,
            scene=f"made-{k:04}",
            nouns=("mug",),
            usual=usual,
            known=0.05,
            answered=replace(one.answered, value=0.12 * float(f), tolerance=(0.0001,)),
        )
        for k, f in enumerate(factors)
    ]


def _asked(candidates: list[VideoCandidate]) -> list[Question]:
    wanted = {("dimensional_measurement", "desktop"): 120}
    return [q for q in written(chosen(candidates, wanted, RECIPE).selected, RECIPE) if q.choices]


def test_no_size_is_asked_that_its_noun_tells(candidates: list[VideoCandidate]) -> None:
    """Mugs that differ by a tenth either way, with options a twentieth apart and more: five do not fit among
    what mugs measure. Mugs beside lorries are no help: who reads "mug" knows which of both it is.
    """
    g = np.random.default_rng(7)
    alike = _sizes(candidates, g.uniform(0.9, 1.1, 200))
    others = [
        replace(d, scene=f"other-{k}", nouns=("box",), answered=replace(d.answered, value=0.12 * f))
        for k, (d, f) in enumerate(zip(alike, np.exp(g.uniform(-1.5, 1.5, 200)).tolist(), strict=True))
    ]
    assert not _asked(alike)
    asked = _asked([*alike, *others])
    assert len(asked) > 50 and all(q.scene.startswith("other") for q in asked)


def test_whoever_knows_the_usual_size_of_a_noun_is_at_chance(candidates: list[VideoCandidate]) -> None:
    """Of mugs that differ by a factor of ten the usual size tells nothing; of answers that are always the
    usual one it tells all.
    """
    asked = _asked(_sizes(candidates, np.exp(np.random.default_rng(3).uniform(-1.2, 1.2, 300))))
    assert len(asked) > 80
    found = next(g for g in guessers(asked) if g.guesser == "usual size")
    assert found.n == len(asked) and found.fair and found.accuracy < 0.32
    assert {noun_of(q) for q in asked} != {""}
    usual = [always_the_usual(q) for q in asked]
    told = next(g for g in guessers(usual) if g.guesser == "usual size")
    assert told.accuracy > 0.9 and not told.fair


def test_nouns_of_all_sizes_are_levelled_by_how_far_they_are_from_usual(
    candidates: list[VideoCandidate],
) -> None:
    """Small bottles and large vases: whoever knows how large both usually are is at chance, though few of
    either are there; and options are all such as a bottle, or a vase, can have.
    """
    g, found = np.random.default_rng(5), []
    for noun, middle in (("bottle", 0.12), ("vase", 0.5)):
        side = UsualSide(middle, -0.6, 0.6)
        factors = middle / 0.12 * np.exp(g.uniform(-0.6, 0.6, 110))
        mixed = [0.03 if k % 2 else 0.05 for k in range(110)]
        found += [
            replace(d, scene=f"{noun}-{k}", nouns=(noun,), known=fine)
            for k, (d, fine) in enumerate(zip(_sizes(candidates, factors, side), mixed, strict=True))
        ]
    asked = _asked(found)
    assert len(asked) > 60 and {q.scene.split("-")[0] for q in asked} == {"bottle", "vase"}
    places = []
    for q in asked:
        middle = 12.0 if q.scene.startswith("bottle") else 50.0
        values = np.array([float(c.split()[0]) for c in q.choices]) / middle
        assert (np.abs(np.log(values)) < 0.62).all()
        places.append(float(np.argmin(np.abs(np.log(values))) == q.choices.index(q.answer)))
    assert np.mean(places) < 0.2 + 2.5 * 0.4 / math.sqrt(len(places))


def always_the_usual(question: Question) -> Question:
    """Return a question whose answer is 12 cm, among others far from it."""
    choices = ("6.0 cm", "8.5 cm", "12.0 cm", "17.0 cm", "24.0 cm")
    return msgspec.structs.replace(question, answer="12.0 cm", choices=choices)


def test_an_order_that_is_plainly_visible_is_easy(worlds: Worlds) -> None:
    """Objects side by side, a hundred pixels apart: easy, though their sizes hardly leave room between."""
    scene = street()
    found = [d for d in drafted(scene, projected(scene), RECIPE) if d.template.asks == "order"]
    for s, visibility in worlds.values():
        found += [d for d in drafted(s, visibility, RECIPE) if d.template.asks == "order"]
    across = [d for d in found if d.template.id == "order_across"]
    assert len(across) > 10 and sum(d.answered.least.ratio < 2 for d in across) > 5
    assert all(d.clear > 4 for d in across)
    away = [d.clear for d in found if d.template.id == "order_away"]
    assert away and np.median(away) > 4 and min(away) > 0
