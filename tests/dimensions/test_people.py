"""What people do, and what the sky shows, where both are known; by both derivations."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace

import msgspec
import numpy as np
import pytest

from fathom.programs.operators.outdoors import daytime, weather
from fathom.programs.operators.people import heads_for, held_by, posture, right_beside
from fathom.programs.values import Measured, Unanswerable
from fathom.programs.views.video import VideoView
from fathom.records import Environment, SceneObject
from fathom.render.air import FAR_M, Sight, through_air
from fathom.render.color import Floats
from fathom.render.guides import Guides
from fathom.scenes.pictured_streets import SIGHTS, StreetSight, air_of
from fathom.verify.observed.daylight import daylight_of
from fathom.verify.operators.outdoors import time_in, weather_in
from fathom.verify.undecided import InsufficientEvidence
from tests.tracks.worlds import obj, pose, tracks, upright, video

BOX = (0.5, 0.5, 0.6)


def person(does: str, place: tuple[float, float, float], turn: float = 0.0) -> SceneObject:
    size = {"walks": (0.9, 0.6, 1.7), "stands": (0.3, 0.6, 1.7), "sits": (0.9, 0.5, 1.0)}[does]
    made = obj("woman", [pose(place, upright(turn))], noun="woman", size=size)
    return msgspec.structs.replace(made, attributes={**made.attributes, "does": does})


def asked(act: Callable[[VideoView, int, int], Measured], view: VideoView) -> str | None:
    """Return what is found of the woman; None where it is not firm."""
    try:
        measured = act(view, view.index("woman"), 0)
    except Unanswerable:
        return None
    return str(measured.value) if measured.truth.ratio >= 1 else None


def test_who_walks_heads_for_what_is_straight_ahead() -> None:
    sofa, bed = obj("sofa", (2, 0, 0), noun="sofa", size=BOX), obj("bed", (0, 2, 0), noun="bed", size=BOX)
    assert asked(heads_for, tracks(person("walks", (0, 0, 0)), sofa, bed)) == "sofa"
    assert asked(heads_for, tracks(person("walks", (0, 0, 0), math.pi / 2), sofa, bed)) == "bed"
    assert asked(heads_for, tracks(person("stands", (0, 0, 0)), sofa, bed)) is None
    beside = obj("bin", (1, 0.35, 0), noun="bin", size=(0.3, 0.3, 0.5))
    assert asked(heads_for, tracks(person("walks", (0, 0, 0)), sofa, bed, beside)) is None


def test_who_stands_is_beside_what_is_nearest_by_far() -> None:
    near = obj("bin", (0.6, 0, 0), noun="bin", size=BOX)
    far, next_to = (
        obj("bed", (2, 0, 0), noun="bed", size=BOX),
        obj("sofa", (-0.65, 0, 0), noun="sofa", size=BOX),
    )
    assert asked(right_beside, tracks(person("stands", (0, 0, 0)), near, far)) == "bin"
    assert asked(right_beside, tracks(person("stands", (0, 0, 0)), near, next_to)) is None
    assert asked(right_beside, tracks(person("walks", (0, 0, 0)), near, far)) is None


def test_what_hangs_at_a_hand_is_held_and_what_stands_is_not() -> None:
    bag = obj("bag", (0, 0.3, 0.4), noun="basket", size=(0.3, 0.2, 0.4))
    stood = obj("bag", (0, 0.3, 0.0), noun="basket", size=(0.3, 0.2, 0.8))
    table = obj("table", (0, 0.3, 0.0), noun="table", size=(0.5, 0.3, 0.4))
    alone = person("stands", (0, 0, 0))
    assert asked(held_by, tracks(alone, bag)) == "bag"
    assert asked(posture, tracks(alone, bag)) == "holds"
    for others in ((stood,), (bag, table)):
        assert asked(held_by, tracks(alone, *others)) is None
        assert asked(posture, tracks(alone, *others)) == "stands"
    assert asked(posture, tracks(person("sits", (0, 0, 0)))) == "sits"


@pytest.mark.parametrize("sight", SIGHTS, ids=lambda s: f"{s.weather} {s.time}")
def test_the_numbers_of_the_air_tell_the_weather_and_the_time_that_were_drawn(sight: StreetSight) -> None:
    view = replace(tracks(obj("mug", (0, 0, 0))), weather=sight.weather, daytime=sight.time)
    for seed in range(3):
        environment = air_of(np.random.default_rng(seed), sight)
        light = daylight_of(environment)
        assert light is not None
        for first, second in ((weather, weather_in), (daytime, time_in)):
            try:
                known = first(view, 0).value
            except Unanswerable:
                continue
            assert second(light).word == known
    with pytest.raises(Unanswerable):
        (weather if sight.weather == "clear" else daytime)(replace(view, daytime="", weather="clear"), 0)


def test_a_sky_that_nobody_drew_tells_nothing() -> None:
    assert daylight_of(Environment(name="indoors", ground="none")) is None
    light = daylight_of(air_of(np.random.default_rng(0), SIGHTS[0]))
    assert light is not None
    with pytest.raises(InsufficientEvidence):
        weather_in(replace(light, drops=0.1, flakes=1.0))


def picture(**air: float) -> Floats:
    """Return what is seen through some air of a floor that goes away from the camera, and of the sky."""
    depth = np.repeat(np.linspace(80.0, 3.0, 60, dtype=np.float32)[:, None], 80, axis=1)
    depth[:10] = 2 * FAR_M
    light = np.tile(np.array([0.1, 0.5], np.float32)[None, :, None], (60, 40, 3))
    flat, none = np.zeros((60, 80, 3), np.float32), np.zeros((60, 80), np.float32)
    drawn = video((obj("mug", (0, 0, 0)),))
    scene = msgspec.structs.replace(
        drawn, environment=Environment(name="sky:noon", ground="asphalt", detail=air)
    )
    camera = msgspec.structs.replace(scene.cameras[0], width=80, height=60, cx=40.0, cy=30.0)
    sight = Sight(camera, light, depth, 0.3 + flat, Guides(flat, flat, flat, none, none))
    return through_air(sight, scene, np.array([[6.0, 0.0, 4.0]], np.float32))


def contrast(rows: Floats) -> float:
    return float(np.abs(np.diff(rows[..., 1], axis=1)).mean())


def test_air_does_what_it_says() -> None:
    plain = picture(dim=1.0)
    fog = picture(fog_m=30.0)
    assert contrast(fog[12:16]) < 0.1 * contrast(plain[12:16])
    assert contrast(fog[-3:]) > 0.5 * contrast(plain[-3:])
    snow = picture(snow=0.9, snowfall=2.0)
    assert float(snow[20:].mean()) > 1.5 * float(plain[20:].mean())
    rain = picture(rain=0.1, wet=0.5)
    changed = np.abs(rain - picture(wet=0.5)).max(axis=-1) > 0.02
    assert 0.01 < changed.mean() < 0.6
    night, lit = picture(dim=0.02), picture(dim=0.02, lamps=20.0)
    assert float(night.mean()) < 0.05 * float(plain.mean())
    assert float(lit[20:].mean()) > 2 * float(night[20:].mean())
