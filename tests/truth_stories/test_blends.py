"""Where one clip goes over to the next the second derivation sees so, and how the actor lies between."""

from __future__ import annotations

import numpy as np
import pytest

from fathom.assets.animated.library import AnimatedLibrary
from fathom.assets.model import Points
from fathom.datasets.generators.animated_motions import motion_library_of
from fathom.geometry.poses import pose_at, to_world
from fathom.records import Scene
from fathom.scenes.animated_assets import built_in_animated
from fathom.scenes.animated_scenes import draw_animated_scene
from fathom.scenes.scene_at_time import Staging, model_at
from fathom.verify.observed.blends import pose_between
from fathom.verify.observed.clips import SurfaceSample, course_of

EVERY = 2


@pytest.fixture(scope="module")
def library() -> AnimatedLibrary:
    return built_in_animated()


@pytest.fixture(scope="module")
def joined(library: AnimatedLibrary) -> Scene:
    """A film of several acts, of which two lie far apart where they join."""
    return draw_animated_scene(2, "joins", library, Staging(views=1))


def world_points(scene: Scene, library: AnimatedLibrary, frame: int) -> Points:
    actor = scene.objects[0]
    model = model_at(actor, library, scene.times_s[frame])
    assert model is not None
    return to_world(pose_at(actor.poses, frame), np.concatenate([p.vertices for p in model.parts]))


def test_the_frame_between_two_clips_is_known_as_one(joined: Scene, library: AnimatedLibrary) -> None:
    known = motion_library_of(joined, library)
    assert known is not None
    frames = range(0, len(joined.times_s), EVERY)
    faces = np.arange(0, len(known.faces), max(1, len(known.faces) // 240)).astype(np.int32)
    weights = np.full((len(faces), 3), 1 / 3)
    samples = [
        SurfaceSample(faces, weights, world_points(joined, library, f)[known.faces[faces]].mean(axis=1))
        for f in frames
    ]
    course = course_of(known, samples, EVERY / 12)
    joins = {round(a.start_s * 12) // EVERY - 1 for a in joined.objects[0].animations[1:]}
    assert joins
    assert set(course.blends) <= joins and course.blends
    assert (course.routine >= 0).all()
    for g, blend in course.blends.items():
        assert blend.share == 0.5
        between = pose_between(known, blend, 0.0, 0.0, blend.share)
        actor = joined.objects[0]
        model = model_at(actor, library, joined.times_s[g * EVERY])
        assert model is not None
        own = np.concatenate([p.vertices for p in model.parts])
        off = np.linalg.norm(own - between, axis=1)
        assert np.median(off) < 0.002 * known.size_m  # where it has lost legs, they are not
    verbs = [known.routines[int(c)].verb for c in course.routine]
    for a in joined.objects[0].animations:
        inner = [verbs[f // EVERY] for f in frames if a.start_s * 12 <= f < a.end_s * 12 - 1]
        assert set(inner) == {a.verb}
