"""Where an actor can wear, hold and carry objects, and how they follow it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from fathom.assets.animated.library import AnimatedAsset
from fathom.assets.model import Model, Points
from fathom.assets.props.catalogue import BACK, BELLY, HAND, HEAD
from fathom.assets.spec import AssetSpec
from fathom.geometry.poses import quaternion, rotation_matrix, to_world
from fathom.geometry.rigid import best_rotation
from fathom.records import Pose
from fathom.scenes.animated_assets import torso, unit_m, upright

HEADLESS = ("vehicle", "object")
"""Categories of actors whose heads, as of a hammer or a lamp, nobody would put a hat on."""


HAND_SHARE = 0.2
"""How much of an arm's length is hand where it has no hand by name."""

_HAND = re.compile(r"\bhands?\b")
_LIMB = re.compile(r"\b(legs?|arms?|wings?|fins?|flippers?|foot|feet|paws?)\b")
"""What a limb is called that holds something: no handle is one."""


@dataclass(frozen=True, eq=False)
class Anchor:
    """A place on an actor in its reference posture: limb, point (3,) metres, axes (3, 3) as columns.

    place : head, hand, back or belly; `side` is "left", "right" or ""
    width_m : how wide the actor is there
    limb_m : (n, 3) the limb's vertices in that posture, whose motion the place follows
    chosen : which of the model's vertices they are
    """

    place: str
    side: str
    limb: str
    at_m: Points
    axes: Points
    width_m: float
    limb_m: Points
    chosen: np.ndarray


def reference(asset: AnimatedAsset) -> Model:
    """Return the actor in its stance."""
    return asset.model_at("", 0.0)


def anchors_of(asset: AnimatedAsset) -> tuple[Anchor, ...]:
    """Return the places where an actor can wear, hold or carry something."""
    model = reference(asset)
    points = np.concatenate([p.vertices for p in model.parts])
    owner = np.concatenate(asset.limb_of_vertex())
    heads = [k for k, limb in enumerate(asset.limbs) if re.search(r"\bhead\b", limb.lower())]
    head = np.flatnonzero(np.isin(owner, heads))
    found = []
    for k, limb in enumerate(asset.limbs):
        chosen = np.flatnonzero(owner == k)
        if len(chosen) < 12:
            continue
        low = limb.lower()
        if re.search(r"\bhead\b", low) and asset.category not in HEADLESS:
            found.append(_head(asset, model, limb, points, chosen, owner == k))
        elif _HAND.search(low) or (has_hands(asset) and low.endswith("arm") and not _hands(asset)):
            found.append(_hand(limb, points, _far_end(points, chosen, head) if "arm" in low else chosen))
    body = torso(asset)
    if body and not _coils(asset):
        chosen = np.flatnonzero(owner == list(asset.limbs).index(body))
        if len(chosen) >= 12:
            found += [_back(asset, model, body, points, chosen), _belly(body, points, chosen)]
    return tuple(a for a in found if a is not None)


def scale_of(prop: AssetSpec, anchor: Anchor, asset: AnimatedAsset) -> float:
    """Return how long, in metres, a prop's longest side is at a place of an actor."""
    unit = unit_m(asset)
    if anchor.place == HEAD:
        opening = float(np.clip(0.85 * anchor.width_m, 0.10 * unit, 0.25 * unit))
        return opening / prop.opening
    if anchor.place == BACK and prop.opening:
        return float(np.clip(anchor.width_m * 0.9, 0.2 * unit, 0.5 * unit)) / prop.opening
    if anchor.place == BELLY:
        return float(np.clip(0.62 * asset.extents_m[0], 0.3 * unit, 0.8 * unit))
    return prop.relative_size * unit


def following(
    anchor: Anchor, models: Sequence[Model], actor_poses: Sequence[Pose], sink_m: float = 0.0
) -> tuple[Pose, ...]:
    """Return the poses of what is fixed to an anchor, one a frame: it moves rigidly with the limb.

    `models` are the actor's at each frame, `sink_m` is how far below the surface the object's origin lies.
    """
    poses = []
    centre = anchor.limb_m.mean(axis=0)
    at = anchor.at_m - anchor.axes[:, 2] * sink_m
    for model, pose in zip(models, actor_poses, strict=True):
        now = np.concatenate([p.vertices for p in model.parts])[anchor.chosen]
        turn = best_rotation(anchor.limb_m, now)
        place = to_world(pose, (turn @ (at - centre) + now.mean(axis=0))[None])[0]
        axes = rotation_matrix(pose.rotation_wxyz) @ turn @ anchor.axes
        poses.append(rounded(place, quaternion(axes)))
    return tuple(poses)


def rounded(position_m: Points, rotation_wxyz: Sequence[float], valid: bool = True) -> Pose:
    """Return a pose with the digits that a scene file keeps."""
    x, y, z = (round(float(v), 6) for v in position_m)
    w, i, j, k = (round(float(v), 9) for v in rotation_wxyz)
    return Pose(position_m=(x, y, z), rotation_wxyz=(w, i, j, k), valid=valid)


def _coils(asset: AnimatedAsset) -> bool:
    """Return whether an animal is all body, as a snake is: where one rears, its throat is on top."""
    return asset.category == "animal" and not any(_LIMB.search(n.lower()) for n in asset.limbs)


def _hands(asset: AnimatedAsset) -> list[str]:
    return [n for n in asset.limbs if _HAND.search(n.lower())]


def has_hands(asset: AnimatedAsset) -> bool:
    """Return whether what is called an arm ends in something that holds."""
    return asset.category in ("character", "robot")


def _far_end(points: Points, chosen: np.ndarray, head: np.ndarray) -> np.ndarray:
    """Return the vertices of an arm that are furthest from the head, where there is one: its hand. One that
    hangs down has its shoulder as far from the middle of the body.
    """
    top = np.array([np.median(points[:, 0]), 0.0, points[:, 2].max()])
    away = np.linalg.norm(points[chosen] - (np.median(points[head], axis=0) if len(head) else top), axis=1)
    return np.asarray(chosen[away >= away.max() - HAND_SHARE * np.ptp(away)])


def heights_at(model: Model, xy: tuple[float, float], of: np.ndarray | None = None) -> Points:
    """Return the heights at which a vertical line meets the model's triangles (of the vertices `of`)."""
    out, offset = [], 0
    for p in model.parts:
        faces = p.faces
        if of is not None:
            faces = faces[of[offset : offset + len(p.vertices)][faces].all(axis=1)]
        offset += len(p.vertices)
        a, b, c = (p.vertices[faces[:, k]] for k in range(3))
        d = (b[:, 0] - a[:, 0]) * (c[:, 1] - a[:, 1]) - (c[:, 0] - a[:, 0]) * (b[:, 1] - a[:, 1])
        some = np.abs(d) > 1e-12
        a, b, c, d = a[some], b[some], c[some], d[some]
        px, py = xy[0] - a[:, 0], xy[1] - a[:, 1]
        u = (px * (c[:, 1] - a[:, 1]) - py * (c[:, 0] - a[:, 0])) / d
        v = (py * (b[:, 0] - a[:, 0]) - px * (b[:, 1] - a[:, 1])) / d
        inside = (u >= 0) & (v >= 0) & (u + v <= 1)
        out.append((a[:, 2] + u * (b[:, 2] - a[:, 2]) + v * (c[:, 2] - a[:, 2]))[inside])
    return np.concatenate(out) if out else np.zeros(0)


def _head(
    asset: AnimatedAsset, model: Model, limb: str, points: Points, chosen: np.ndarray, of: np.ndarray
) -> Anchor | None:
    """Return where a hat sits: over the middle of a head that is above a body, further back on a muzzle."""
    own = points[chosen]
    low, high = np.percentile(own, 4, axis=0), np.percentile(own, 96, axis=0)
    share = 0.5 if upright(asset) else 0.36
    x, y = float(low[0] + share * (high[0] - low[0])), float((low[1] + high[1]) / 2)
    width = float(high[1] - low[1])
    tops = []
    for dx, dy in ((0, 0), (0.18, 0), (-0.18, 0), (0, 0.18), (0, -0.18)):
        hits = heights_at(model, (x + dx * width, y + dy * width), of)
        if len(hits):
            tops.append(float(hits.max()))
    if not tops:
        return None
    at = np.array([x, y, float(np.median(tops))])
    return Anchor(HEAD, "", limb, at, np.eye(3), width, own, chosen)


def _hand(limb: str, points: Points, chosen: np.ndarray) -> Anchor:
    own = points[chosen]
    at = (own.min(axis=0) + own.max(axis=0)) / 2
    side = 1.0 if at[1] > points[:, 1].mean() else -1.0
    up = np.array([0.42, 0.22 * side, 0.88])
    up /= np.linalg.norm(up)
    forward = np.array([1.0, 0.0, 0.0]) - up * up[0]
    forward /= np.linalg.norm(forward)
    axes = np.column_stack([forward, np.cross(up, forward), up])
    width = float((own.max(axis=0) - own.min(axis=0)).min())
    return Anchor(HAND, "left" if side > 0 else "right", limb, at, axes, width, own, chosen)


def _back(asset: AnimatedAsset, model: Model, limb: str, points: Points, chosen: np.ndarray) -> Anchor:
    """Return the top of a long body's back, or the place behind an upright one's shoulders."""
    own = points[chosen]
    low, high = np.percentile(own, 3, axis=0), np.percentile(own, 97, axis=0)
    width = float(high[1] - low[1])
    middle = (low + high) / 2
    if upright(asset):
        z = float(low[2] + 0.62 * (high[2] - low[2]))
        near = np.abs(own[:, 2] - z) < 0.22 * (high[2] - low[2])
        x = float(np.percentile(own[near, 0], 8)) if near.any() else float(low[0])
        at = np.array([x, float(middle[1]), z])
    else:
        hits = heights_at(model, (float(middle[0]), float(middle[1])))
        top = float(hits.max()) if len(hits) else float(high[2])
        at = np.array([middle[0], middle[1], top])
    return Anchor(BACK, "", limb, at, np.eye(3), width, own, chosen)


def _belly(limb: str, points: Points, chosen: np.ndarray) -> Anchor:
    own = points[chosen]
    low, high = np.percentile(own, 2, axis=0), np.percentile(own, 98, axis=0)
    at = np.array([(low[0] + high[0]) / 2, (low[1] + high[1]) / 2, low[2]])
    return Anchor(BELLY, "", limb, at, np.eye(3), float(high[1] - low[1]), own, chosen)
