"""Keyframes: what the channels of an animation say at some moments, all channels of a kind at once.

Ref: Khronos glTF 2.0 specification §3.11 (animations) and appendix C (interpolation).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from fathom.assets.gltf.document import Channel
from fathom.assets.gltf.limits import BrokenError, shown
from fathom.assets.model import Points

LINEAR, STEP, CUBIC = "LINEAR", "STEP", "CUBICSPLINE"
WIDTHS = {"translation": 3, "rotation": 4, "scale": 3}

_PARALLEL = 1 - 1e-8
"""Cosine from which on two rotations are mixed as straight lines: their arc has no direction any more."""


@dataclass(frozen=True, eq=False)
class Tracks:
    """Channels of one path and one interpolation, end to end.

    nodes : (c,) the node that each channel moves
    times_s : (k,) the keys' times, channel after channel; first, last : (c,) each one's keys in it
    values : (k, w), or (k, 3, w) with the tangents before and after where the interpolation is cubic
    """

    path: str
    interpolation: str
    nodes: NDArray[np.int64]
    times_s: Points
    first: NDArray[np.int64]
    last: NDArray[np.int64]
    values: Points

    def at(self, moments_s: Points) -> Points:
        """Return the (t, c, w) values at some moments (t,); before the first key and after the last they
        stand still.
        """
        low = np.clip(self.first + self._passed(moments_s) - 1, self.first, self.last)
        high = np.minimum(low + 1, self.last)
        span = self.times_s[high] - self.times_s[low]
        gone = (moments_s[:, None] - self.times_s[low]) / np.where(span > 0, span, 1.0)
        u = np.clip(gone, 0.0, 1.0)[..., None]
        if self.interpolation == STEP:
            return self._whole(self.values[low])
        if self.interpolation == CUBIC:
            return self._whole(_hermite(self.values[low], self.values[high], u, span[..., None]))
        a, b = self.values[low], self.values[high]
        return slerp(a, b, u) if self.path == "rotation" else a + u * (b - a)

    def _passed(self, moments_s: Points) -> NDArray[np.int64]:
        """Return (t, c) how many keys of each channel have come by some moments (t,)."""
        if len(moments_s) == 1:
            return np.add.reduceat((self.times_s <= moments_s[0]).astype(np.int64), self.first)[None]
        order = np.argsort(moments_s, kind="stable")
        width = len(moments_s) + 1
        # Every key is counted from the first moment on that is not before it.
        since = self._channel * width + np.searchsorted(moments_s[order], self.times_s)
        came = np.bincount(since, minlength=len(self.nodes) * width).reshape(-1, width)
        passed = np.empty((len(moments_s), len(self.nodes)), dtype=np.int64)
        passed[order] = came.cumsum(axis=1)[:, :-1].T
        return passed

    @cached_property
    def _channel(self) -> NDArray[np.int64]:
        """Return (k,) the channel of each key."""
        return np.repeat(np.arange(len(self.nodes)), self.last - self.first + 1)

    def _whole(self, values: Points) -> Points:
        if self.path != "rotation":
            return values
        length = np.linalg.norm(values, axis=-1, keepdims=True)
        # Tangents may carry a spline through zero, where it is no rotation at all.
        return np.where(length > 1e-9, values / np.maximum(length, 1e-9), (0.0, 0.0, 0.0, 1.0))


def _hermite(a: Points, b: Points, u: Points, span: Points) -> Points:
    """Return the cubic spline between keys (…, 3, w): tangent before, value, tangent after."""
    u2, u3 = u * u, u * u * u
    return np.asarray(
        (2 * u3 - 3 * u2 + 1) * a[..., 1, :]
        + span * (u3 - 2 * u2 + u) * a[..., 2, :]
        + (3 * u2 - 2 * u3) * b[..., 1, :]
        + span * (u3 - u2) * b[..., 0, :]
    )


def slerp(a: Points, b: Points, u: Points) -> Points:
    """Return (…, 4) unit quaternions on the shorter arc from `a` to `b`, as far along it as `u` (…, 1)."""
    cosine = np.einsum("ij,ij->i", a.reshape(-1, 4), b.reshape(-1, 4)).reshape(u.shape)
    b = np.where(cosine < 0, -b, b)
    cosine = np.minimum(np.abs(cosine), 1.0)
    arc = np.arccos(cosine)
    sine = np.sin(arc)
    near = cosine > _PARALLEL
    safe = np.where(near, 1.0, sine)
    mixed = np.where(near, 1 - u, np.sin((1 - u) * arc) / safe) * a
    mixed = mixed + np.where(near, u, np.sin(u * arc) / safe) * b
    return np.asarray(mixed / np.linalg.norm(mixed, axis=-1, keepdims=True))


def tracks_of(channels: Sequence[Channel]) -> tuple[Tracks, ...]:
    """Return the channels that move nodes, in groups. Raises BrokenError where one cannot be followed."""
    groups: dict[tuple[str, str], list[Channel]] = {}
    for c in channels:
        if c.path in WIDTHS:
            groups.setdefault((c.path, c.interpolation), []).append(c)
    return tuple(_tracks(group, WIDTHS[path]) for (path, _), group in groups.items())


def weight_tracks(channel: Channel, targets: int) -> Tracks:
    """Return the channel that turns `targets` morph targets on and off. Raises BrokenError."""
    return _tracks([channel], targets)


def _tracks(group: Sequence[Channel], width: int) -> Tracks:
    values, counts = [], []
    for c in group:
        values.append(_keys(c, width))
        counts.append(len(c.times_s))
    ends = np.cumsum(counts)
    return Tracks(
        path=group[0].path,
        interpolation=group[0].interpolation,
        nodes=np.array([c.node for c in group], dtype=np.int64),
        times_s=np.concatenate([c.times_s for c in group]),
        first=(ends - counts).astype(np.int64),
        last=(ends - 1).astype(np.int64),
        values=np.concatenate(values),
    )


def _keys(c: Channel, width: int) -> Points:
    """Return a channel's values, one row a key, after they were found to be what the format asks for."""
    what = f"its {c.path} of node {c.node}"
    keys = len(c.times_s)
    if c.interpolation not in (LINEAR, STEP, CUBIC):
        raise BrokenError(f"{what} is interpolated by {shown(c.interpolation)}, which does not exist")
    if not keys:
        raise BrokenError(f"{what} has no keyframes")
    if (np.diff(c.times_s) < 0).any():
        raise BrokenError(f"{what} has keyframes that run back in time")
    rows = 3 if c.interpolation == CUBIC else 1
    if width < 1 or c.values.size != keys * rows * width:
        raise BrokenError(
            f"{what} has {c.values.size:,} numbers for {keys:,} keyframes; expected {keys * rows * width:,}"
        )
    values = c.values.reshape((keys, 3, width) if rows == 3 else (keys, width))
    if c.path != "rotation":
        return values
    turns = values[:, 1] if rows == 3 else values
    length = np.linalg.norm(turns, axis=1, keepdims=True)
    if (length < 1e-6).any():
        raise BrokenError(f"{what} holds a quaternion of length 0")
    return values if rows == 3 else values / length
