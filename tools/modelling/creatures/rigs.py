"""Creatures made of rigid pieces on joints, and their clips as angles over time."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from fathom.assets.animated.manifest import AnimatedEntry, ClipEntry, MaterialEntry
from fathom.assets.model import Material, Part, Points
from fathom.assets.shapes import Shell, part
from tools.modelling.rigged import Bone, Keys, Rigged, paint_of, painted_alone, quaternion

Angles = tuple[float, float, float]
TURN = 2 * math.pi
LICENSE = "Apache-2.0"

KEYS_PER_S = 60.0
"""Keyframes a second of a clip: joints turn evenly in between."""

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

    `cycles` is how many times the same object is done.
    """

    name: str
    verb: str
    duration_s: float
    posture: Callable[[float], Posture]
    loops: bool = True
    cycles: int = 1


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

    def rigged(self) -> Rigged:
        """Return it with its skeleton: a bone "ground" that shifts all of it, then the joints."""
        index = {j.name: k for k, j in enumerate(self.joints)}
        bones = [Bone("ground", -1, np.zeros(3))]
        bones += [
            Bone(j.name, index[j.parent] + 1 if j.parent else 0, np.array(j.at_m) - self._shift)
            for j in self.joints
        ]
        parts = [(replace(p, vertices=p.vertices - self._shift), joint + 1) for p, joint in self._rest]
        return Rigged(self.name, tuple(bones), painted_alone(parts), tuple(map(self._keys, self.clips)))

    def _keys(self, clip: RigClip) -> Keys:
        """Return a clip as keyframes; feet give the ground, whatever the joints say, unless it swims."""
        count = math.ceil(clip.duration_s * KEYS_PER_S) + 1
        shares = np.linspace(0.0, 1.0, count)
        shifts, turns = np.zeros((count, len(self.joints) + 1, 3)), np.zeros((count, len(self.joints) + 1, 4))
        turns[:, 0, 0] = 1.0
        index = {j.name: k for k, j in enumerate(self.joints)}
        for k, share in enumerate(shares):
            posture = clip.posture(float(share))
            shifts[k, 0] = posture.get("move", (0.0, 0.0, 0.0))
            if self.category != "fish":
                shifts[k, 0, 2] += max(0.0, -self._lowest_m(posture))
            for i, j in enumerate(self.joints):
                up = np.array(self.joints[index[j.parent]].at_m) if j.parent else self._shift
                shifts[k, i + 1] = np.array(j.at_m) - up
                turns[k, i + 1] = quaternion(_rotation(posture.get(j.name, (0.0, 0.0, 0.0))))
        return Keys(clip.name, shares * clip.duration_s, shifts, turns)

    def _lowest_m(self, posture: Posture) -> float:
        """Return how high its lowest vertex is in a posture."""
        turns, shifts = self._placings(posture)
        return min(
            float((np.einsum("nj,nj->n", turns[joint][:, 2], p.vertices) + shifts[joint][:, 2]).min())
            for p, joint in self._rest
        ) - float(self._shift[2])

    def entry(self, file: str) -> AnimatedEntry:
        """Return what the catalogue says of it; the longest side is that of the rest pose."""
        points = np.concatenate([p.vertices for p, _ in self._rest])
        return AnimatedEntry(
            file=file,
            name=self.name,
            noun=self.noun,
            category=self.category,
            size_m=float(np.ptp(points, axis=0).max()),
            plural=self.plural,
            materials={
                paint_of(part): MaterialEntry(word=part, color=color) for part, color in self.colors.items()
            },
            limbs={limb: tuple(j.name for j in self.joints if j.limb == limb) for limb in self.limbs},
            clips=tuple(
                ClipEntry(
                    name=c.name,
                    verb=c.verb,
                    end_s=c.duration_s,
                    duration_s=c.duration_s,
                    loops=c.loops,
                    cycles=c.cycles,
                )
                for c in self.clips
            ),
            license=LICENSE,
            reviewed=True,
        )

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
