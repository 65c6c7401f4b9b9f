"""What is kept between the pictures of a video saves work and changes nothing that is seen."""

from dataclasses import replace

import msgspec
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fathom.assets.model import Model
from fathom.ground_truth.trace import still
from fathom.records import Scene
from fathom.render import renderer_scene
from fathom.render.animated import RenderLook, painted
from fathom.render.color import Floats
from fathom.render.lights import light_of
from fathom.render.static_geometry import StaticGeometry, _some_ground
from fathom.render.surfaces import placed
from fathom.render.variants import FAST, SLOW, Engine, engine, mitsuba_module, prepare
from tests.needed import needs
from tests.truth.street import at, block, camera, lorry, world

pytestmark = needs("mitsuba", "pyoidn")

SAMPLES = 64


@pytest.fixture(scope="module")
def compiled() -> Engine:
    chosen = engine(say=lambda word: None)
    if chosen.variant != FAST:
        pytest.skip("no LLVM library that Mitsuba works with is installed")
    return chosen


def video() -> tuple[Scene, dict[str, Model]]:
    """A wall that stands, and a lorry that passes before it in its shadow."""
    models = {"wall": block((4.0, 0.4, 2.4), (0.8, 0.75, 0.6)), "lorry": lorry(2.0, (0.7, 0.1, 0.1))}
    scene, _ = world(
        {"wall": (models["wall"], at(0, 1.2)), "lorry": (models["lorry"], at(0, 0))}, camera(96, 72)
    )
    wall, moves = scene.objects
    moves = msgspec.structs.replace(moves, poses=tuple(at(0.4 * k - 1.2, 0, 0.3 * k) for k in range(6)))
    filmed = msgspec.structs.replace(scene, objects=(wall, moves), times_s=tuple(k / 10 for k in range(6)))
    return filmed, models


def pictures(frames: list[int], by: Engine) -> dict[int, np.ndarray]:
    scene, models = video()
    cells = [(0, frame) for frame in frames]
    return {f: p for (_, f), p in painted(scene, lambda frame: models, cells, by, RenderLook("draft"))}


def test_a_picture_does_not_depend_on_those_painted_before_it(compiled: Engine) -> None:
    together = pictures([0, 2, 5], compiled)
    for frame in (5, 2):
        assert np.array_equal(pictures([frame], compiled)[frame], together[frame])
    assert not np.array_equal(together[0], together[5])


def test_both_variants_paint_the_same_picture_but_for_what_noise_is_left(compiled: Engine) -> None:
    fast, slow = (pictures([3], by)[3].astype(int) for by in (compiled, Engine(SLOW)))
    assert np.abs(fast - slow).mean() < 4
    assert abs((fast - slow).mean()) < 1.5


@pytest.mark.parametrize("depth", [3, 4])
def test_few_samples_bring_all_the_light_that_paths_of_so_many_bounces_bring(
    compiled: Engine, depth: int
) -> None:
    prepare(compiled)
    scene, models = video()
    light, seen_from = light_of(scene.environment), still(scene.cameras[0])
    kept = StaticGeometry()
    skins = [kept.skin(models[t.id]) for t in scene.objects]
    poses = [t.poses[2 if len(t.poses) > 1 else 0] for t in scene.objects]
    ground = np.full((72, 96, 3), 0.3, np.float32)
    ours = kept.seen(scene, skins, poses, seen_from, light, ground, (SAMPLES, depth, 1))
    mi = mitsuba_module()
    whole = mi.load_dict(
        {
            "type": "scene",
            "integrator": {"type": "path", "max_depth": depth, "rr_depth": 64},
            "light": renderer_scene.sky(light),
            "ground": renderer_scene.ground_mesh(seen_from, ground),
            "far": renderer_scene.far_ground(_some_ground(light)),
            **renderer_scene.objects(skins, [placed(s, p) for s, p in zip(skins, poses, strict=True)]),
        }
    )
    sensor = mi.load_dict(renderer_scene.sensor(seen_from, SAMPLES))
    theirs = np.array(mi.render(whole, sensor=sensor, spp=SAMPLES, seed=2), np.float32)[..., :3]
    assert coarse(ours) == pytest.approx(coarse(theirs), rel=0.05, abs=0.01)


def coarse(light: Floats) -> Floats:
    """The mean light of 6 × 8 parts of a picture."""
    return np.asarray(np.nan_to_num(light).clip(0, 4).reshape(6, 12, 8, 12, 3).mean(axis=(1, 3)))


def test_what_stands_is_kept_while_other_models_take_turns() -> None:
    wall, first, second = block((1.0, 1.0, 1.0)), lorry(1.0), lorry(1.0)
    kept = StaticGeometry()
    kept.turn_to([wall], [wall, first])
    skin, solid, gone = kept.skin(wall), kept.solid(wall), kept.skin(first)
    kept.turn_to([wall], [wall, second])
    assert kept.skin(wall) is skin
    assert kept.solid(wall) is solid
    assert kept.skin(first) is not gone
    kept.turn_to([replace(wall)], [wall, second])
    assert kept.skin(wall) is not skin


faces = st.lists(st.tuples(*[st.integers(0, 40)] * 3), max_size=30)


@given(faces)
def test_the_vertices_that_faces_have_are_renamed_in_order(corners: list[tuple[int, int, int]]) -> None:
    had = np.array(corners, np.int32).reshape(-1, 3)
    vertices, renamed = renderer_scene._used(had)
    assert np.array_equal(vertices, np.unique(had))
    assert np.array_equal(vertices[renamed], had)
