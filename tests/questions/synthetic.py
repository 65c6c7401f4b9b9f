"""Worlds without a renderer: the published distributions, with boxes in the picture for silhouettes."""

from __future__ import annotations

import math

import numpy as np

from fathom.geometry.cameras import look_at, project
from fathom.geometry.poses import Array, yaw_quaternion
from fathom.records import AssetRef, Camera, Cover, Environment, ObjectVisibility, Pose, Scene, SceneObject
from fathom.store.seeds import rng

EYE = (7.4811, -6.5076, 5.3437)
CAMERA = Camera(width=640, height=480, fx=700, fy=700, cx=320, cy=240, poses=(look_at(EYE, (0.0, 0.0, 0.0)),))
COLORS = ("gray", "red", "blue", "green", "brown", "purple", "cyan", "yellow")
SCALES = {"large": 3.5, "small": 1.8}
UNIT: dict[str, tuple[str, float, float, float]] = {
    "suv": ("car", 0.8736, 0.3646, 0.3224), "wagon": ("car", 0.8872, 0.379, 0.263),
    "minivan": ("car", 0.8603, 0.3782, 0.3419), "sedan": ("car", 0.8964, 0.3528, 0.2685),
    "truck": ("car", 0.8906, 0.3554, 0.2837), "articulated": ("bus", 0.9718, 0.1729, 0.1603),
    "regular": ("bus", 0.9299, 0.2646, 0.2555), "double": ("bus", 0.929, 0.2161, 0.3005),
    "school": ("bus", 0.9491, 0.2027, 0.2411), "chopper": ("motorbike", 0.8685, 0.2588, 0.4228),
    "dirtbike": ("motorbike", 0.8293, 0.2925, 0.4761), "scooter": ("motorbike", 0.7773, 0.3679, 0.5104),
    "cruiser": ("motorbike", 0.8444, 0.281, 0.4561), "jet": ("aeroplane", 0.6082, 0.7609, 0.2262),
    "fighter": ("aeroplane", 0.7543, 0.6369, 0.1591), "biplane": ("aeroplane", 0.6086, 0.7423, 0.2802),
    "airliner": ("aeroplane", 0.7261, 0.6449, 0.2386), "road": ("bicycle", 0.8583, 0.199, 0.4731),
    "utility": ("bicycle", 0.7973, 0.297, 0.5254), "mountain": ("bicycle", 0.8162, 0.3183, 0.4822),
    "tandem": ("bicycle", 0.9121, 0.1572, 0.3787),
}  # fmt: skip


def obj(name: str, subtype: str, size: str, color: str, x: float, y: float, heading: float) -> SceneObject:
    """Return one object standing at (x, y), facing `heading` radians from world x."""
    category, *unit = UNIT[subtype]
    length, width, height = (round(u * SCALES[size], 6) for u in unit)
    w, _, _, z = yaw_quaternion(heading)
    return SceneObject(
        id=name,
        category=category,
        subtype=subtype,
        size_m=(length, width, height),
        poses=(
            Pose(
                position_m=(round(x, 6), round(y, 6), 0.0), rotation_wxyz=(round(w, 9), 0.0, 0.0, round(z, 9))
            ),
        ),
        asset=AssetRef(name=subtype, sha256="0"),
        attributes={"size": size, "color": color},
    )


def scene(name: str, objects: tuple[SceneObject, ...], with_sights: bool = True) -> Scene:
    """Return a scene of these objects before the published camera."""
    return Scene(
        id=name,
        generator="synthetic",
        version="1",
        seed="0",
        objects=objects,
        cameras=(CAMERA,),
        environment=Environment(name="none"),
        visibility=boxes_in_sight(objects) if with_sights and objects else (),
    )


def boxes_in_sight(objects: tuple[SceneObject, ...]) -> tuple[ObjectVisibility, ...]:
    """Return sights as if every silhouette were the box around the object in the picture."""
    corners = np.array([[x, y, z] for x in (-0.5, 0.5) for y in (-0.5, 0.5) for z in (0, 1)])
    points, ranges = [], []
    for t in objects:
        w, _, _, z = t.poses[0].rotation_wxyz
        c, s = w * w - z * z, 2 * w * z
        local = corners * np.array(t.size_m)
        world = local @ np.array([[c, s, 0], [-s, c, 0], [0, 0, 1]]) + np.array(t.poses[0].position_m)
        points.append(world)
        ranges.append(math.dist(t.poses[0].position_m[:2], EYE[:2]))
    pixels = project(CAMERA, np.concatenate(points))[0].reshape(len(objects), 8, 2)
    low, high = pixels.min(axis=1), pixels.max(axis=1)
    span = np.minimum(high[:, None], high[None]) - np.maximum(low[:, None], low[None])
    overlap = np.where((span > 0).all(axis=-1), span.prod(axis=-1), 0.0) * 0.6
    gap = np.hypot(*np.maximum(-span, 0.0).transpose(2, 0, 1))
    area = (high - low).prod(axis=1) * 0.6
    return tuple(_sight(k, objects, ranges, overlap, gap, area) for k in range(len(objects)))


def _sight(
    k: int, objects: tuple[SceneObject, ...], ranges: list[float], overlap: Array, gap: Array, area: Array
) -> ObjectVisibility:
    nearer = [j for j in range(len(objects)) if j != k and ranges[j] < ranges[k] and overlap[k, j] >= 1]
    covers = tuple(
        Cover(object_id=objects[j].id, over_px=int(overlap[k, j]), seen_px=int(overlap[k, j])) for j in nearer
    )
    hidden = min(sum(c.over_px for c in covers), int(area[k] * 0.9))
    return ObjectVisibility(
        object_id=objects[k].id,
        full_px=int(area[k]),
        amodal_px=int(area[k]),
        visible_px=int(area[k]) - hidden,
        box_px=(0, 0, 1, 1),
        covers=covers,
        gaps_px={objects[j].id: round(float(gap[k, j]), 1) for j in range(len(objects)) if j != k},
    )


def random_scene(seed: str, index: int, count: int | None = None) -> Scene:
    """Return a scene of 3 to 10 objects (or `count`) with everything drawn uniformly."""
    g = rng(seed, "synthetic", index)
    n = count or int(g.integers(3, 11))
    spots: list[tuple[float, float]] = []
    while len(spots) < n:
        for _ in range(200):
            x, y = (float(v) for v in g.uniform(-3, 3, 2))
            if all(math.dist((x, y), s) > (0.9 if n <= 10 else 0.5) for s in spots):
                spots.append((x, y))
                break
        else:
            spots = []
    keys = list(UNIT)
    objects = tuple(
        obj(
            f"t{k}",
            keys[int(g.integers(21))],
            ("large", "small")[int(g.integers(2))],
            COLORS[int(g.integers(8))],
            x,
            y,
            float(g.uniform(0, 2 * math.pi)),
        )
        for k, (x, y) in enumerate(spots)
    )
    return scene(f"scene-{index:06d}", objects)
