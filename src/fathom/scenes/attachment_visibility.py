"""Whether what an actor wears can be seen: it may be sunk in the body, or behind it from nearly all sides."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import msgspec
import numpy as np

from fathom.assets.animated.library import AnimatedLibrary
from fathom.assets.model import Model, Points
from fathom.geometry.poses import from_world, pose_at
from fathom.records import Environment, Pose, Scene, SceneObject
from fathom.scenes.framing import framed
from fathom.scenes.free_space import surface_points
from fathom.scenes.scene_at_time import Staging, model_at
from fathom.scenes.visibility_grids import visibility_grid_of

VIEWS, SIDE_PX = 12, 160
"""From how many sides it is looked at, and how large the picture is."""

SHOWN, SIDES = 0.4, 0.5
"""Which share of it must show, and from which share of the sides, for it to be worn where all can see it."""

DEEP = 0.02
"""How deep a point of the body lies in what it sticks through, as a share of the longest side of that."""


def worn_in_sight(
    actor: SceneObject,
    worn: Sequence[SceneObject],
    models: Sequence[Model],
    swept_m: Points,
    staging: Staging,
    moments_m: Sequence[Points] = (),
    least_share: float = 0.0,
) -> tuple[float, ...]:
    """Return for each object that an actor wears the share of sides from which it shows, at the worst of the
    times looked at; 0 where at all of these times it takes up less than `least_share` of every picture.

    `models` are the actor's at each frame, `swept_m` (n, 3) where all of it comes to be, `moments_m` (n, 3)
    where it is at each time: no camera is so near that it is too large in a picture.
    """
    if not worn:
        return ()
    frames = [len(models) * k // 6 for k in (0, 3, 5)]
    objects = [
        msgspec.structs.replace(t, poses=tuple(pose_at(t.poses, f) for f in frames), events=())
        for t in (actor, *worn)
    ]
    nobody = AnimatedLibrary("", ())

    def models_at(frame: int) -> dict[str, Model]:
        shapes = [(t.id, model_at(t, nobody, 0.0)) for t in worn]
        return {actor.id: models[frames[frame]], **{n: m for n, m in shapes if m is not None}}

    scene = Scene(
        id="0" * 32,
        generator="stories",
        version="",
        seed="",
        objects=tuple(objects),
        cameras=framed(swept_m, replace(staging, views=VIEWS, size_px=SIDE_PX), moments_m),
        environment=Environment(name=staging.environment),
        times_s=tuple(float(k) for k in range(len(frames))),
        truth="",
    )
    visibility = visibility_grid_of(scene, models_at, tuple(range(len(frames))), scale=1)
    shown = visibility.px[:, :, 1:] / np.maximum(visibility.alone_px[:, :, 1:], 1)
    sides = (shown >= SHOWN).mean(axis=0).min(axis=0)
    largest = visibility.px[:, :, 1:].max(axis=(0, 1))
    return tuple(float(s) for s in sides * (largest >= least_share * SIDE_PX**2))


def pierced(obj: SceneObject, model: Model, pose: Pose) -> bool:
    """Return whether parts of an actor stick through what it wears, as horns do through a hat.

    What is worn may sit in the surface: only the upper half of its hull is looked at. Around a
    backpack with its straps that would hold the body that wears it.
    """
    from scipy.spatial import ConvexHull, QhullError

    if "worn_on" not in obj.attributes or obj.attributes["name"] == "backpack":
        return False
    worn = model_at(obj, AnimatedLibrary("", ()), 0.0)
    assert worn is not None, "nothing has become of it yet"
    own = np.concatenate([p.vertices for p in worn.parts])
    try:
        hull = ConvexHull(own)
    except (QhullError, ValueError):
        return False
    body = from_world(obj.poses[0], surface_points(model, pose))
    high = body[body[:, 2] >= (own[:, 2].min() + own[:, 2].max()) / 2]
    if not len(high):
        return False
    deep = hull.equations[:, :3] @ high.T + hull.equations[:, 3:]
    return bool((deep.max(axis=0) < -DEEP * max(obj.size_m)).any())
