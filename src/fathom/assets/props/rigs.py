"""Creatures made of rigid pieces on joints, and their clips as angles over time."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from fathom.assets.animated.cast import ActorPart
from fathom.assets.library import fingerprint
from fathom.assets.model import Material, Model, Part, Points
from fathom.assets.shapes import Shell, part
from fathom.records import InputError

Angles = tuple[float, float, float]
TURN = 2 * math.pi
SIDES = (("left", 1.0), ("right", -1.0))
"""The two sides of a creature, and the sign of y there."""

Posture = Mapping[str, Angles]
"""Joint → turns about x, y and z in radians, in that order; "move" is the root's shift in metres."""


@dataclass(frozen=True)
class Joint:
    """A joint: where it is in the rest pose (3,) metres, what it hangs from, and the limb it belongs to."""

    name: str
    parent: str
    at_m: tuple[float, float, float]
    limb: str


@dataclass(frozen=True)
class Piece:
    """A shell that moves with a joint; pieces of one part's name and material become one part."""

    joint: str
    part: str
    material: Material
    shell: Shell
    crease_deg: float = 40.0


@dataclass(frozen=True)
class RigClip:
    """A named clip: `posture` takes the share of it that has passed, 0..1.

    `start_s` and `end_s` enclose what moves, `cycles` is how many times the same object is done.
    """

    name: str
    verb: str
    duration_s: float
    posture: Callable[[float], Posture]
    loops: bool = True
    cycles: int = 1

    @property
    def start_s(self) -> float:
        """Return when it begins to move: at once."""
        return 0.0

    @property
    def end_s(self) -> float:
        """Return when it has ended."""
        return self.duration_s


@dataclass(frozen=True, eq=False)
class Rig:
    """A creature that can be an actor: joints, pieces and clips.

    colors : part → the colour it has, "" where nobody would name it
    """

    name: str
    category: str
    noun: str
    plural: str
    joints: tuple[Joint, ...]
    pieces: tuple[Piece, ...]
    clips: tuple[RigClip, ...]
    colors: Mapping[str, str]

    @cached_property
    def limbs(self) -> tuple[str, ...]:
        """Return the names of the limbs, in the joints' order."""
        return tuple(dict.fromkeys(j.limb for j in self.joints))

    @cached_property
    def parts(self) -> tuple[ActorPart, ...]:
        """Return what the parts are called, and their colours."""
        return tuple(ActorPart(name, name, color) for name, color in self.colors.items())

    @cached_property
    def sha256(self) -> str:
        """Return the hash of the shape at rest."""
        return fingerprint(self.model_at("", 0.0))

    @cached_property
    def extents_m(self) -> tuple[float, float, float]:
        """Return length, width and height at rest, in metres."""
        return self.model_at("", 0.0).extents

    @property
    def size_m(self) -> float:
        """Return the longest of them."""
        return max(self.extents_m)

    @cached_property
    def _rest(self) -> tuple[tuple[Part, NDArray[np.int64]], ...]:
        """Return the parts at rest, as drawn, with the joint of each vertex."""
        groups: dict[tuple[str, str], list[tuple[Part, int]]] = {}
        index = {j.name: k for k, j in enumerate(self.joints)}
        for p in self.pieces:
            made = part(p.part, p.shell, p.material, p.crease_deg)
            groups.setdefault((p.part, p.material.name), []).append((made, index[p.joint]))
        return tuple(_joined(found) for found in groups.values())

    @cached_property
    def _shift(self) -> Points:
        """Return (3,) what centres the rest pose over the origin, on the ground."""
        points = np.concatenate([p.vertices for p, _ in self._rest])
        low, high = points.min(axis=0), points.max(axis=0)
        return np.array([(low[0] + high[0]) / 2, (low[1] + high[1]) / 2, low[2]])

    def clip(self, name: str) -> RigClip:
        """Return the clip called `name`. Raises InputError that lists what there is."""
        for c in self.clips:
            if c.name == name:
                return c
        known = ", ".join(c.name for c in self.clips)
        raise InputError(f"{self.name}: no clip called {name!r}; there are {known}")

    def model_at(self, clip: str, time_s: float) -> Model:
        """Return the model at a time of a clip, "" at rest: x forward, y left, z up, metres."""
        posture: Posture = {}
        if clip:
            c = self.clip(clip)
            posture = c.posture(float(np.clip(time_s / c.duration_s, 0.0, 1.0)))
        turns, shifts = self._placings(posture)
        parts = []
        for p, joint in self._rest:
            assert p.normals is not None
            vertices = np.einsum("nij,nj->ni", turns[joint], p.vertices) + shifts[joint] - self._shift
            normals = np.einsum("nij,nj->ni", turns[joint], p.normals)
            parts.append(replace(p, vertices=vertices, normals=normals))
        low = min(float(p.vertices[:, 2].min()) for p in parts)
        if low < 0 and self.category != "fish":
            # Feet give the ground, whatever the joints say.
            parts = [replace(p, vertices=p.vertices - (0.0, 0.0, low)) for p in parts]
        return Model(self.name, self.category, self.noun, tuple(parts))

    def limb_of_vertex(self) -> tuple[NDArray[np.int32], ...]:
        """Return for each part (n,) the index of each vertex's limb."""
        limb = np.array([self.limbs.index(j.limb) for j in self.joints], dtype=np.int32)
        return tuple(limb[joint] for _, joint in self._rest)

    def _placings(self, posture: Posture) -> tuple[Points, Points]:
        """Return the rotation (k, 3, 3) and the shift (k, 3) that each joint gives to rest positions."""
        turns, shifts = np.zeros((len(self.joints), 3, 3)), np.zeros((len(self.joints), 3))
        index = {j.name: k for k, j in enumerate(self.joints)}
        for k, j in enumerate(self.joints):
            own = _rotation(posture.get(j.name, (0.0, 0.0, 0.0)))
            at = np.asarray(j.at_m)
            if j.parent:
                up = index[j.parent]
                turns[k] = turns[up] @ own
                shifts[k] = turns[up] @ (at - own @ at) + shifts[up]
            else:
                turns[k] = own
                shifts[k] = at - own @ at + np.asarray(posture.get("move", (0.0, 0.0, 0.0)))
        return turns, shifts


def _rotation(angles: Angles) -> Points:
    (a, b, c), out = angles, np.eye(3)
    for i, angle in ((0, a), (1, b), (2, c)):
        s, t = math.sin(angle), math.cos(angle)
        turn, j, k = np.eye(3), (i + 1) % 3, (i + 2) % 3
        turn[j, j], turn[j, k], turn[k, j], turn[k, k] = t, -s, s, t
        out = turn @ out
    return out


def _joined(found: list[tuple[Part, int]]) -> tuple[Part, NDArray[np.int64]]:
    """Return parts of one name as one, with the joint of each vertex."""
    vertices, faces, normals, joints, offset = [], [], [], [], 0
    for p, joint in found:
        assert p.normals is not None
        vertices.append(p.vertices)
        faces.append(p.faces + offset)
        normals.append(p.normals)
        joints.append(np.full(len(p.vertices), joint, dtype=np.int64))
        offset += len(p.vertices)
    first = found[0][0]
    whole = replace(
        first,
        vertices=np.concatenate(vertices),
        faces=np.concatenate(faces).astype(np.int32),
        normals=np.concatenate(normals),
    )
    return whole, np.concatenate(joints)


def wave(share: float, times: float = 1.0, phase: float = 0.0) -> float:
    """Return a sine of the share of a clip that has passed: `times` periods, shifted by `phase` of one."""
    return math.sin(2 * math.pi * (share * times + phase))


def bump(share: float, start: float = 0.0, end: float = 1.0) -> float:
    """Return a smooth rise from 0 to 1 and back between two shares of a clip."""
    t = min(max((share - start) / (end - start), 0.0), 1.0)
    return math.sin(math.pi * t) ** 2


def rise(share: float, start: float = 0.0, end: float = 1.0) -> float:
    """Return a smooth step from 0 to 1 between two shares of a clip."""
    t = min(max((share - start) / (end - start), 0.0), 1.0)
    return t * t * (3 - 2 * t)
