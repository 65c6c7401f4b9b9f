"""Pictures of rooms: lit by what is in them, and by nothing else."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec
import numpy as np
import pytest

from fathom.assets.furniture.catalogue import shining
from fathom.assets.model import Material, Model
from fathom.assets.shapes import box, part
from fathom.records import Scene
from fathom.render.animated import RenderLook, painted
from fathom.render.indoors import INDOORS, MOST_FOR_DARK, _exposure
from fathom.render.surfaces import skin_of
from fathom.render.variants import engine
from fathom.scenes.videos.indoor import draw_indoor, models_at
from tests.needed import needs

pytestmark = needs("mitsuba")


@pytest.fixture(scope="module")
def room() -> Scene:
    scene = draw_indoor(1, "tests")
    camera = scene.cameras[0]
    small = msgspec.structs.replace(
        camera, width=96, height=72, fx=camera.fx * 0.15, fy=camera.fy * 0.15, cx=48.0, cy=36.0
    )
    return msgspec.structs.replace(scene, cameras=(small,))


def picture(scene: Scene, models: Mapping[str, Model]) -> np.ndarray[tuple[int, ...], np.dtype[np.uint8]]:
    ((_, pixels),) = painted(scene, lambda frame: models, [(0, 150)], engine(), RenderLook())
    return pixels


def test_a_room_by_day_is_light_and_without_lights_is_black(room: Scene) -> None:
    assert room.environment.name == INDOORS
    models = models_at(room, 150)
    day = picture(room, models)
    assert day.shape == (72, 96, 3) and 90 < day.mean() < 230
    dark = {name: shining(m, 0.0) for name, m in models.items()}
    assert picture(room, dark).max() < 3


def test_a_lamp_that_is_lit_sheds_light_on_what_is_around_it(room: Scene) -> None:
    models = models_at(room, 150)
    dark = {name: shining(m, 0.0) for name, m in models.items()}
    lamp = next(t.id for t in room.objects if t.subtype in ("ceiling lamp", "pendant"))
    lit = {**dark, lamp: shining(dark[lamp], 9.0)}
    assert (picture(room, lit).max(axis=-1) > 20).mean() > 0.5


def exposure_over(gray: float) -> float:
    """Return the exposure of a bare room, four metres wide, whose floor is of such a gray (sRGB)."""
    floor = part("floor", box((0, 0, -0.05), (4, 4, 0.1)), Material("floor", (gray,) * 3))
    lamp = part("lamp", box((0, 0, 2.45), (2, 2, 0.1)), Material("lamp", (1.0,) * 3, emission=1.0))
    return _exposure(skin_of(Model("room", "structure", "room", (floor, lamp))))


def test_over_dark_floors_a_room_is_exposed_longer_and_never_without_end() -> None:
    pale, *darker = (exposure_over(gray) for gray in (0.6, 0.5, 0.4, 0.01))
    assert exposure_over(0.9) == pytest.approx(pale)
    assert pale < darker[0] < darker[1] < darker[2] == pytest.approx(MOST_FOR_DARK * pale)
