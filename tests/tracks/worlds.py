"""Small videos with known tracks."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import replace

import msgspec
import numpy as np
from numpy.typing import NDArray

from fathom.geometry.cameras import look_at
from fathom.geometry.poses import quaternion, rotation_matrix
from fathom.programs.referring import Expression, expressions
from fathom.programs.views.video import Span, VideoView, video_view
from fathom.records import AssetRef, Camera, Environment, Pose, Scene, SceneObject
from fathom.store.seeds import rng

Array = NDArray[np.float64]
FPS = 30.0
NO_ASSET = AssetRef(name="built-in:box", sha256="")


def upright(heading_rad: float) -> Array:
    c, s = math.cos(heading_rad), math.sin(heading_rad)
    return np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])


def pose(place: Iterable[float], turn: Array | None = None, **more: float) -> Pose:
    x, y, z = (float(v) for v in place)
    q = (1.0, 0.0, 0.0, 0.0) if turn is None else quaternion(turn)
    return Pose(position_m=(x, y, z), rotation_wxyz=q, **more)  # type: ignore[arg-type]


def level_view(azimuth_rad: float) -> Array:
    """Axes (x right, y down, z forward) of a level camera that looks to an azimuth."""
    c, s = math.cos(azimuth_rad), math.sin(azimuth_rad)
    return np.array([[s, 0.0, c], [-c, 0.0, s], [0.0, -1.0, 0.0]])


def obj(
    name: str,
    where: Sequence[float] | Sequence[Pose],
    noun: str = "mug",
    color: str = "red",
    size: tuple[float, float, float] = (0.2, 0.1, 0.3),
    category: str = "",
) -> SceneObject:
    first = where[0]
    poses = tuple(where) if isinstance(first, Pose) else (pose(where),)  # type: ignore[arg-type]
    return SceneObject(
        id=name,
        category=category or noun,
        subtype=noun,
        size_m=size,
        poses=poses,  # type: ignore[arg-type]
        asset=NO_ASSET,
        attributes={"name": noun, "color": color},
    )


def video(
    objects: Sequence[SceneObject] = (),
    camera: Sequence[Pose] | None = None,
    setting: str = "indoor",
    frames: int = 300,
    times: Sequence[float] | None = None,
) -> Scene:
    """A video at 30 frames a second; by default the camera stands at (-4, 0, 1.5) and looks along world x."""
    times = tuple(times) if times is not None else tuple(i / FPS for i in range(frames))
    poses = tuple(camera) if camera else (pose((-4, 0, 1.5), level_view(0.0)),)
    return Scene(
        id="video",
        generator=setting,
        version="1",
        seed="t",
        objects=tuple(objects),
        cameras=(Camera(width=640, height=480, fx=500, fy=500, cx=320, cy=240, poses=poses),),
        environment=Environment(name="sky"),
        times_s=times,
        source={"setting": setting, "video": "video"},
    )


def random_track(seed: int, name: str, frames: int, reach: float = 1.0) -> Array:
    """Smooth places (frames, 3): a few sines."""
    g = rng(seed, name)
    t = np.arange(frames) / FPS
    out = np.zeros((frames, 3))
    for k in range(3):
        for f in (0.05, 0.13, 0.31):
            out[:, k] += g.normal() * reach * np.sin(2 * math.pi * (f * t + g.random()))
    return out


def random_video(seed: int, frames: int = 120) -> Scene:
    """A camera that moves and looks around, four objects, two of which move and turn."""
    g = rng(seed, "video")
    eyes = random_track(seed, "eye", frames) + np.array([-6.0, 0.0, 1.5])
    aims = random_track(seed, "aim", frames, 0.3) + np.array([0.0, 0.0, 0.5])
    camera = [look_at((a[0], a[1], a[2]), (b[0], b[1], b[2])) for a, b in zip(eyes, aims, strict=True)]
    objects = []
    for k in range(4):
        size = tuple(float(v) for v in g.uniform(0.1, 0.8, 3))
        spot = np.array([*g.uniform(-2, 2, 2), g.uniform(0, 1)])
        if k < 2:
            way, spin = random_track(seed, f"way{k}", frames, 0.5) + spot, g.normal()
            poses = [pose(p, upright(spin * i / FPS)) for i, p in enumerate(way)]
        else:
            poses = [pose(spot, upright(g.uniform(0, 6)))]
        objects.append(obj(f"t{k}", poses, noun=f"thing{k}", size=(size[0], size[1], size[2])))
    return video(objects, camera, frames=frames)


def moved(scene: Scene, turn: Array, shift: Array) -> Scene:
    """The same world turned about its origin, then shifted."""

    def new(p: Pose) -> Pose:
        place = turn @ np.array(p.position_m) + shift
        return pose(place, turn @ rotation_matrix(p.rotation_wxyz), valid=p.valid)

    def renew(poses: Sequence[Pose]) -> tuple[Pose, ...]:
        return tuple(new(p) for p in poses)

    return msgspec.structs.replace(
        scene,
        objects=tuple(msgspec.structs.replace(t, poses=renew(t.poses)) for t in scene.objects),
        cameras=tuple(msgspec.structs.replace(c, poses=renew(c.poses)) for c in scene.cameras),
    )


def backwards(tracks: VideoView) -> VideoView:
    """The same video played backwards."""
    return replace(
        tracks,
        times_s=(tracks.times_s[-1] - tracks.times_s[::-1]).copy(),
        eyes_m=tracks.eyes_m[::-1],
        views=tracks.views[::-1],
        positions_m=tracks.positions_m[:, ::-1],
        rotations=tracks.rotations[:, ::-1],
        memo={},
    )


def tracks(*objects: SceneObject, **more: object) -> VideoView:
    return video_view(video(objects, **more))  # type: ignore[arg-type]


def walked(*legs: tuple[str, float, float]) -> tuple[Array, Array]:
    """Places (n, 3) and directions (n,) in radians of one who goes legs: (what, how much, pace).

    "straight" (m, m/s), "left" and "right" (degrees, degrees/s; at 1.5 m/s), "left on the spot" and "right on
    the spot" (degrees, degrees/s), "stop" (s, any).
    """
    x, y, heading = 0.0, 0.0, 0.0
    places, headings = [(x, y, 0.0)], [heading]
    for what, much, pace in legs:
        steps = round(FPS * (much if what == "stop" else much / pace))
        for _ in range(steps):
            speed = pace if what == "straight" else 1.5 if what in ("left", "right") else 0.0
            rate = 0.0 if what in ("straight", "stop") else math.radians(much) / steps
            rate *= -1.0 if what.startswith("right") else 1.0
            x += speed / FPS * math.cos(heading + rate / 2)
            y += speed / FPS * math.sin(heading + rate / 2)
            heading += rate
            places.append((x, y, 0.0))
            headings.append(heading)
    return np.array(places), np.array(headings)


def refer(tracks: VideoView, obj: str, span: Span | None = None) -> Expression | None:
    """Return the shortest unique expression for an object in a span; None where there is none, or it is
    unseen.
    """
    return expressions(tracks, span).get(obj)
