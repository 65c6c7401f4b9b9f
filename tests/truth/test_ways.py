"""Rays along the way of an object, and what its shape sweeps, tell the same of what it would hit."""

from __future__ import annotations

import math
from dataclasses import replace

import msgspec
import numpy as np
import pytest

from fathom.assets.libraries import Library, built_in_library
from fathom.assets.model import Material, Model
from fathom.assets.shapes import box, part
from fathom.ground_truth.solids import solid_of
from fathom.ground_truth.swept_collisions import ways_m
from fathom.ground_truth.trace import trace
from fathom.programs.engine import run
from fathom.programs.rules import FATHOM
from fathom.programs.views.still import StillView, still_view
from fathom.records import Environment, Pose, Scene, Step
from fathom.scenes.placed_models import models_of
from fathom.scenes.scatter import draw_scene
from fathom.scenes.scatter_settings import Scatter
from fathom.scenes.sweeps import WAYS, sweeps_of
from fathom.verify.engine import derived_text
from fathom.verify.observed.observations import observations
from fathom.verify.rule_sets import still_of
from tests.truth.street import at, block

LOOSE = Scatter(
    fewest=6, most=8, occlusion=0, min_visible_px=0, min_visible_fraction=0, small_fraction=0,
    thin_fraction=0, min_inside_fraction=0,
)  # fmt: skip
"""Objects anywhere on the ground: nothing need be seen of them here."""


@pytest.fixture(scope="module")
def library() -> Library:
    return built_in_library()


def ways_between(placed: list[tuple[Model, Pose]]) -> np.ndarray:
    return ways_m([solid_of(m) for m, _ in placed], [p for _, p in placed])


def test_a_block_drives_until_faces_meet() -> None:
    small = block((1.0, 0.4, 0.4))
    ways = ways_between([(small, at(0, 0)), (small, at(3, 0.1)), (small, at(-2, 0, math.pi / 2))])
    assert ways[0, 0, 1] == pytest.approx(2.0, abs=1e-4)
    assert ways[1, 0, 2] == pytest.approx(2.0 - 0.5 - 0.2, abs=1e-4)
    assert math.isinf(ways[0, 0, 2]) and math.isinf(ways[0, 2, 0]) and math.isinf(ways[1, 2, 0])


def test_a_bar_passes_over_what_is_low_and_a_object_that_is_away_touches_nothing() -> None:
    bar = Model("bar", "car", "bar", (part("bar", box((0, 0, 0.8), (0.1, 1.0, 0.1)), Material("body")),))
    low, high = block((0.5, 0.5, 0.5)), block((0.5, 0.5, 0.9))
    ways = ways_between([(bar, at(0, 0)), (low, at(2, 0)), (high, at(4, 0.6))])
    assert math.isinf(ways[0, 0, 1]) and ways[0, 0, 2] == pytest.approx(3.7, abs=1e-4)
    gone = msgspec.structs.replace(at(4, 0.6), valid=False)
    assert np.isinf(ways_between([(bar, at(0, 0)), (high, gone)])).all()


def test_sweeps_and_rays_agree_on_drawn_scenes(library: Library) -> None:
    clear = 0
    for k in range(30):
        scene = draw_scene(k, "ways", library, LOOSE, lambda _: Environment(name="sky"))
        models = models_of(scene, library)
        ways = ways_m([solid_of(models[t.id]) for t in scene.objects], [t.poses[0] for t in scene.objects])
        index = {t.id: i for i, t in enumerate(scene.objects)}
        swept = np.zeros(ways.shape, dtype=bool)
        for sweep in sweeps_of(scene.objects, models):
            place = WAYS.index(sweep.way), index[sweep.object_id], index[sweep.other]
            swept[place] = True
            if abs(sweep.into_m) > 0.15:
                assert math.isfinite(ways[place]) == (sweep.into_m > 0), sweep
                clear += 1
            if sweep.into_m > 0.15 and sweep.soonest_m is not None and sweep.latest_m is not None:
                assert sweep.soonest_m - 0.06 < ways[place] < sweep.latest_m + 0.25
        assert not np.isfinite(ways[~swept]).any()
    assert clear > 300


CORNERS = {148: ("t0", "backward"), 313: ("t1", "forward"), 479: ("t9", "backward")}
"""Scenes of the seed 2026 in which an object passes the nose of an aeroplane within its rectangle."""


def programs(facts: StillView) -> list[tuple[Step, ...]]:
    out = []
    for k in range(facts.n):
        anchor = [Step(op="scene")]
        for name in ("size", "color", "shape"):
            word = facts.values[name][k]
            anchor.append(Step(op=f"filter_{name}", inputs=(len(anchor) - 1,), args=(word,)))
        anchor.append(Step(op="unique", inputs=(3,)))
        for way in WAYS:
            first = (
                *anchor,
                Step(op="relate_first", inputs=(4,), args=(way,)),
                Step(op="unique", inputs=(5,)),
            )
            out += [(*first, Step(op=f"query_{a}", inputs=(6,))) for a in ("size", "color", "shape")]
            for op in ("relate_hit", "relate_path"):
                path = (*anchor, Step(op=op, inputs=(4,), args=(way,)))
                out += [(*path, Step(op=last, inputs=(5,))) for last in ("count", "exist")]
    return out


def disagreements(scene: Scene, seen: tuple[object, ...]) -> int:
    facts = still_view(scene, FATHOM)
    wrong = 0
    for program in programs(facts):
        answer = run(program, facts).answer
        second = derived_text(program, still_of(scene, seen, "fathom")) if answer is not None else None  # type: ignore[arg-type]
        wrong += second is not None and second != answer
    return wrong


@pytest.fixture(scope="module")
def corners(library: Library) -> list[tuple[Scene, tuple[object, ...]]]:
    drawn = [draw_scene(k, "2026", library, Scatter(), lambda _: Environment(name="sky")) for k in CORNERS]
    return [(s, observations(trace(s, models_of(s, library)))) for s in drawn]


def test_what_crosses_the_empty_corner_of_a_rectangle_is_not_asked_about(
    corners: list[tuple[Scene, tuple[object, ...]]],
) -> None:
    for (scene, seen), (name, way) in zip(corners, CORNERS.values(), strict=True):
        facts = still_view(scene, FATHOM)
        i = facts.objects.index(name)
        yes, maybe = facts.relations[f"path:{way}"].rows[i]
        assert maybe and not yes
        assert disagreements(scene, seen) == 0


def test_rectangles_alone_are_caught_by_the_rays(corners: list[tuple[Scene, tuple[object, ...]]]) -> None:
    for scene, seen in corners:
        assert disagreements(msgspec.structs.replace(scene, sweeps=()), seen) > 0


def test_a_fault_in_the_ways_shows_up(corners: list[tuple[Scene, tuple[object, ...]]]) -> None:
    for change in (
        lambda ways: (ways[1], ways[0]),
        lambda ways: (ways[0][::-1], ways[1][::-1]),
        lambda ways: ((math.inf,) * len(ways[0]),) * 2,
    ):
        wrong = 0
        for scene, seen in corners:
            wrong += disagreements(scene, tuple(replace(w, ways_m=change(w.ways_m)) for w in seen))  # type: ignore[type-var, attr-defined]
        assert wrong >= 5
