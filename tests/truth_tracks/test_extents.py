"""What hides behind an object itself may be larger than what is seen of it."""

from __future__ import annotations

import math

import msgspec
import numpy as np
import pytest

from fathom.assets.model import Material, Model
from fathom.assets.shapes import box, lathe, merged, part
from fathom.geometry.poses import Array
from fathom.ground_truth.footage import as_filmed, footage
from fathom.records import Pose, SceneObject
from fathom.scenes.videos import cameras, routes
from fathom.scenes.videos.desktop import draw_desktop
from fathom.verify.observed import extents
from fathom.verify.observed.extents import Extent
from fathom.verify.observed.video import observed_video

FRAMES = tuple(range(0, 60, 2))
TIMES = np.arange(60) / 30.0
SIZE = (7.4, 2.6, 3.1)


def van() -> Model:
    """Return a body 2.3 m wide, and at its front two mirrors that make it 2.6 m wide."""
    body = box((0.0, 0.0, 1.55), (7.4, 2.3, 3.1))
    mirrors = [box((3.4, side * 1.225, 2.0), (0.1, 0.15, 0.3)) for side in (-1.0, 1.0)]
    return Model(
        "van", "vehicle", "van", (part("body", merged(body, *mirrors), Material("white", (0.9,) * 3)),)
    )


def stander() -> Model:
    """Return a body with a toe that ends in a cone of ten sides, 2 cm long and 5 cm wide."""
    body = box((0.0, 0.0, 0.9), (0.3, 0.6, 1.8))
    toe = lathe([(0.025, 0.1), (0.025, 0.15), (0.0, 0.172)], "x", 10, (0.0, -0.1, 0.05))
    return Model(
        "stander", "person", "person", (part("body", merged(body, toe), Material("gray", (0.5,) * 3)),)
    )


def measured(
    eyes: Array,
    model: Model | None = None,
    size: tuple[float, float, float] = SIZE,
    aim: tuple[float, float, float] = (0.0, 0.0, 1.5),
) -> Extent:
    """Return what the second derivation finds of a size, the van's, from a camera that goes this way."""
    template = draw_desktop(0, "extents")
    looks = routes.looking(eyes, np.tile(aim, (len(TIMES), 1)), TIMES)
    camera = cameras.pinhole(640, 480, math.radians(60), looks)
    upright = Pose(position_m=(0.0, 0.0, 0.0), rotation_wxyz=(1.0, 0.0, 0.0, 0.0))
    first = next(t for t in template.objects if t.category != "structure")
    obj: SceneObject = msgspec.structs.replace(first, id="van", size_m=size, poses=(upright,))
    scene = msgspec.structs.replace(
        template, objects=(obj,), cameras=(camera,), times_s=tuple(TIMES.tolist())
    )
    filmed, models = as_filmed(scene, {"van": model or van()})
    (extent,) = observed_video(filmed, tuple(footage(filmed, models, FRAMES))).extents
    return extent


@pytest.mark.parametrize("metres", [25.0, 50.0, 85.0])
def test_from_behind_a_width_is_no_surer_than_what_hides_at_the_far_end(metres: float) -> None:
    near = np.column_stack([-metres + 0.5 * TIMES, np.zeros(60), np.full(60, 1.5)])
    extent = measured(near)
    assert abs(extent.size_m[1] - SIZE[1]) <= extent.unsure_m[1]


def test_from_both_sides_a_width_is_sure() -> None:
    around = np.radians(np.linspace(-150, 150, 60))
    extent = measured(np.column_stack([-14 * np.cos(around), 14 * np.sin(around), np.full(60, 2.5)]))
    assert abs(extent.size_m[1] - SIZE[1]) <= extent.unsure_m[1] < 0.1


STANDER = (0.344, 0.6, 1.8)


def missed(step: int) -> float:
    """Return by how much the stander's length is beyond what is said, from a camera that moves late."""
    away = 30.0 - 15.0 * np.clip((TIMES - 0.4) / 1.6, 0.0, None)
    eyes = np.column_stack([away, -0.2 * away, np.full(60, 1.8)])
    found = measured(eyes, stander(), STANDER, (0.0, 0.011 * step, 1.5 + 0.017 * step))
    return float(abs(found.size_m[0] - STANDER[0]) - found.unsure_m[0])


def test_a_tip_between_the_rays_of_a_still_camera_is_not_taken_for_an_edge(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert max(missed(step) for step in range(12)) <= 0
    monkeypatch.setattr(extents, "REPEATED", 0.0)
    assert max(missed(step) for step in range(12)) > 0


def test_of_what_leaves_the_picture_no_size_is_known() -> None:
    near = np.column_stack([-14 + 0 * TIMES, 14 + 0 * TIMES, np.full(60, 2.5)])
    template = measured(near)
    assert np.isfinite(template.unsure_m).all()
    inside = measured(0.3 * near)
    assert np.isinf(inside.unsure_m).all()
