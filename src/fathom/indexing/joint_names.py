"""What the names of joints say a model's limbs are: words of English, Mixamo, Unreal, Unity and Blender.

A name is taken apart into words ("mixamorig:LeftUpLeg", "b_LeftLeg02_016", "upperarm_l", "FrontLowerLeg.R").
One of them says what it is part of, another one on which side, and of legs at which end of the body.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from fathom.assets.gltf.moving import REST, Moving

HEAD, NECK, TAIL, ARM, LEG, WING, FIN, FLIPPER, BODY = (
    "head", "neck", "tail", "arm", "leg", "wing", "fin", "flipper", "body",
)  # fmt: skip

WORDS: Mapping[str, tuple[str, ...]] = {
    HEAD: ("head", "skull", "jaw", "mouth", "muzzle", "snout", "beak", "nose", "eye", "eyes", "eyelid",
           "eyebrow", "brow", "ear", "ears", "cheek", "tongue", "horn", "horns", "antler", "antlers", "mane"),
    NECK: ("neck",),
    TAIL: ("tail",),
    ARM: ("arm", "forearm", "shoulder", "clavicle", "elbow", "wrist", "hand", "palm", "finger", "fingers",
          "thumb", "index", "pinky", "claw"),
    LEG: ("leg", "legs", "thigh", "calf", "shin", "knee", "ankle", "foot", "feet", "toe", "toes", "paw",
          "hoof", "hock"),
    WING: ("wing", "wings"),
    FIN: ("fin", "fins"),
    FLIPPER: ("flipper", "flippers"),
    BODY: ("body", "torso", "spine", "chest", "abdomen", "thorax", "trunk", "pelvis", "hip", "hips", "waist",
           "belly", "ribs", "ribcage", "back", "root", "shoulders"),
}  # fmt: skip
"""Limb → words of joints that belong to it."""

JOINED = ("tail", "arm", "leg", "wing", "hand", "foot", "fin", "neck", "head")
"""Words that others are joined to without a mark: "upperarm", "lowleg"."""

SIDES = {"l": "left", "left": "left", "lft": "left", "r": "right", "right": "right", "rgt": "right"}
FRONT, HIND, MIDDLE = "front", "hind", "middle"
ENDS = {"front": FRONT, "fore": FRONT, "back": HIND, "hind": HIND, "rear": HIND,
        "mid": MIDDLE, "middle": MIDDLE}  # fmt: skip
"""Words for where a leg is → the end of the body."""

GROUND_SHARE = 0.1
"""How far above the lowest leg an arm ends at most that stands on the ground, as a share of the size: it is a
front leg.
"""

MANY = 3
"""Chains of joints on one side from which on there are legs at the middle of a body, too."""

IN_PAIRS = (ARM, LEG, WING, FLIPPER)
"""What is on one side: without a side in its name it is no limb."""


@dataclass(frozen=True)
class JointName:
    """What a name says: the limb, the side ("" untold) and, of a leg, the end of the body ("" untold)."""

    limb: str
    side: str = ""
    end: str = ""


def read_joint(name: str) -> JointName | None:
    """Return what the name of a joint says, None where it says nothing.

    >>> read_joint("mixamorig:LeftUpLeg")
    JointName(limb='leg', side='left', end='')
    >>> read_joint("FrontLowerLeg.R")
    JointName(limb='leg', side='right', end='front')
    """
    words = list(_words(name))
    side = side_of(name)
    found = [(limb, w) for w in words for limb, own in WORDS.items() if w in own]
    # What "back" and "root" say hangs on the words beside them.
    found = [f for f in found if f[1] not in ("back", "root")] or found
    if not found:
        return None
    limb = found[-1][0]
    if side and limb == BODY and not {"spine", "chest", "body"} & {w for _, w in found}:
        return None
    if not side and limb in IN_PAIRS:
        return JointName(BODY) if "shoulder" in words else None
    end = next((ENDS[w] for w in words if w in ENDS), "")
    if limb == ARM:
        return JointName(LEG, side, HIND) if end == HIND else JointName(ARM, side)
    return JointName(limb, side if limb in (*IN_PAIRS, FIN) else "", end if limb == LEG else "")


def limb_of(name: str) -> str:
    """Return the kind of limb that a name says, "" where it says none."""
    found = read_joint(name)
    return found.limb if found is not None else ""


def side_of(name: str) -> str:
    """Return the side that a name says, "left" or "right"; "" where it says none.

    >>> side_of("TankTrack13.R")
    'right'
    """
    return next((SIDES[w] for w in _words(name) if w in SIDES), "")


def _words(name: str) -> Iterator[str]:
    """Yield the words of a name in small letters, what is joined without a mark taken apart."""
    spaced = re.sub(r"(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", " ", name)
    for word in re.findall(r"left(?=[a-z])|right(?=[a-z])|[a-z]+", spaced.lower()):
        last = next((w for w in JOINED if word.endswith(w) and word not in (w, "forearm")), "")
        if last and any(word in own for own in WORDS.values()):
            last = ""
        yield from (word.removesuffix(last), last) if last else (word,)


def limbs_of(moving: Moving) -> dict[str, tuple[str, ...]]:
    """Return the limbs that a model's joints are named after, each with the names of its joints as patterns.

    Of a model without any other limb nothing is its body.
    """
    read = {n: found for n in _carriers(moving) if (found := read_joint(n)) is not None}
    if all(found.limb == BODY for found in read.values()):
        return {}
    legs = _called_legs(moving, read)
    limbs: dict[str, list[str]] = {}
    for name, found in read.items():
        limbs.setdefault(_called(found, legs, TAIL in {f.limb for f in read.values()}), []).append(name)
    used = {moving.document.nodes[j].name for p in moving.pieces for j in set(p.joint.tolist())}
    order = sorted(limbs, key=lambda limb: limb == BODY)
    return {limb: tuple(map(re.escape, limbs[limb])) for limb in order if used & set(limbs[limb])}


def _carriers(moving: Moving) -> Sequence[str]:
    """Return the names of nodes that vertices hang on, and of what these hang on, from the root on."""
    nodes = moving.document.nodes
    kept = {int(j) for p in moving.pieces for j in set(p.joint.tolist())}
    for i in reversed(moving.document.order):
        if i in kept and nodes[i].parent >= 0:
            kept.add(nodes[i].parent)
    return tuple(dict.fromkeys(nodes[i].name for i in moving.document.order if i in kept))


def _called(found: JointName, legs: Mapping[JointName, str], tailed: bool) -> str:
    if found.limb in (ARM, LEG):
        return f"{found.side} {legs[found]}"
    if found.limb == NECK and not tailed:
        return BODY
    return f"{found.side} {found.limb}".strip()


def _called_legs(moving: Moving, read: Mapping[str, JointName]) -> dict[JointName, str]:
    """Return what each kind of arm and leg is called, without its side.

    Of legs at the middle of a body too, one speaks of all on a side. Arms are front legs where they stand on
    the ground at rest, and something else than that says that it is no person.
    """
    kinds = {found for found in read.values() if found.limb in (ARM, LEG)}
    if any(k.end == MIDDLE for k in kinds) and _has_many(moving, read):
        return {k: "legs" if k.limb == LEG else ARM for k in kinds}
    fore = {k for k in kinds if k.limb == ARM or k.end == FRONT}
    beast = any(k.end == FRONT for k in fore) or any(f.limb == TAIL for f in read.values())
    own = ({n for n, f in read.items() if f in chosen} for chosen in (fore, kinds - fore))
    stands = beast and _stands(moving, *own)
    named = {True: ("front leg", "hind leg"), False: (ARM, LEG)}[stands]
    return {k: named[k not in fore] for k in kinds}


def _has_many(moving: Moving, read: Mapping[str, JointName]) -> bool:
    """Return whether so many chains of leg joints are on one side that there are more than two legs."""
    nodes, count = moving.document.nodes, Counter[str]()
    for node in nodes:
        found, above = read.get(node.name), read.get(nodes[node.parent].name) if node.parent >= 0 else None
        if found is not None and found.limb == LEG and (above is None or above.limb != LEG):
            count[found.side] += 1
    return max(count.values(), default=0) >= MANY


def _stands(moving: Moving, fore: Collection[str], hind: Collection[str]) -> bool:
    """Return whether the lowest point of the one joints is on the ground as well as that of the others."""
    points, joint = moving.vertices_at(REST, 0.0), np.concatenate([p.joint for p in moving.pieces])
    nodes = moving.document.nodes
    lowest = []
    for own in (fore, hind):
        heights = points[np.isin(joint, [j for j, n in enumerate(nodes) if n.name in own]), 1]
        if not len(heights):
            return False
        lowest.append(float(heights.min()))
    return lowest[0] - lowest[1] <= GROUND_SHARE * float(np.ptp(points, axis=0).max())
