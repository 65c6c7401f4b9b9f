"""What names of joints say: by conventions of other tools, and of the shared models against their packs."""

from __future__ import annotations

import re
from collections import Counter

import numpy as np
import pytest

from fathom.assets.animated.library import AnimatedAsset, AnimatedLibrary
from fathom.indexing.joint_names import limbs_of, read_joint, side_of

SAID = {
    "mixamorig:LeftUpLeg": "left leg",
    "mixamorig:LeftToeBase": "left leg",
    "mixamorig:RightForeArm": "right arm",
    "mixamorig:RightHandIndex1": "right arm",
    "mixamorig:Spine2": "body",
    "thigh_l": "left leg",
    "calf_twist_01_r": "right leg",
    "upperarm_l": "left arm",
    "clavicle_r": "right arm",
    "spine_03": "body",
    "pelvis": "body",
    "RightLowerLeg": "right leg",
    "LeftEye": "head",
    "DEF-forearm.L": "left arm",
    "DEF-shin.R": "right leg",
    "Bip01 L Thigh": "left leg",
    "FrontUpperLeg.L": "left leg front",
    "BackLowerLeg.R": "right leg hind",
    "leftforeleg": "left leg front",
    "hindleg_r": "right leg hind",
    "BackShoulder.L": "left leg hind",
    "Tail3": "tail",
    "pectoral_fin_L": "left fin",
    "MidFlipper.R": "right flipper",
    "Wing2.L": "left wing",
    "LowerMouth": "head",
    "Shoulders": "body",
    "Back": "body",
    "HumanArmature": "",
    "Main1": "",
    "TankTrack13.R": "",
    "Arm": "",
}
"""Name of a joint → what it says: the limb with its side, and of a leg its end of the body."""

NAMELESS = ("fish-shark", "tank", "platformer-lever", "platformer-chest", "windturbine")
"""Models whose joints are named after no limb."""

WELL_NAMED = ("alpaca", "horse", "deer", "wolf", "fox-textured", "rat", "stegosaurus", "trex", "snake",
              "dolphin", "robotexpressive", "knightcharacter", "cyberpunk-character")  # fmt: skip


def said(name: str) -> str:
    found = read_joint(name)
    return f"{found.side} {found.limb} {found.end}".strip() if found else ""


@pytest.mark.parametrize("name", SAID)
def test_a_joint_says_what_it_is_part_of(name: str) -> None:
    assert said(name) == SAID[name]


def test_a_side_is_told_of_what_is_no_limb() -> None:
    assert [side_of(n) for n in ("TankTrack13.R", "wheel_left_02", "Lever")] == ["right", "left", ""]


def agreement(asset: AnimatedAsset) -> float:
    """Return the share of vertices of which the names of joints say the limb that the reviewed pack says."""
    read = limbs_of(asset.moving)
    nodes = asset.moving.document.nodes
    by_name = [""] * len(nodes)
    for i in asset.moving.document.order:
        own = [limb for limb, names in read.items() if any(re.fullmatch(n, nodes[i].name) for n in names)]
        parent = nodes[i].parent
        by_name[i] = own[0] if own else by_name[parent] if parent >= 0 else ""
    reviewed = np.concatenate(asset.limb_of_vertex()).tolist()
    joints = np.concatenate([p.joint for p in asset.moving.pieces]).tolist()
    names = list(asset.limbs)
    same = Counter(k >= 0 and names[k] == by_name[j] for k, j in zip(reviewed, joints, strict=True))
    return same[True] / same.total()


@pytest.mark.parametrize("name", WELL_NAMED)
def test_the_limbs_of_shared_models_are_those_that_people_named(library: AnimatedLibrary, name: str) -> None:
    """A knight's fingers are on the wrong side by their names; packs name swords and tongues apart."""
    assert agreement(library.asset(name)) >= 0.9


@pytest.mark.parametrize("name", NAMELESS)
def test_of_a_model_whose_joints_say_nothing_no_limb_is_named(library: AnimatedLibrary, name: str) -> None:
    """A lever's root and a chest of gold are no bodies: there is no limb that they would carry."""
    assert limbs_of(library.asset(name).moving) == {}


@pytest.mark.parametrize(
    ("name", "legs"),
    [
        ("spider", {"left legs", "right legs"}),
        ("cyberpunk-enemy-large", {"left leg", "right leg"}),
        ("mech-george", {"left leg", "right leg"}),
        ("horse", {"left front leg", "right front leg", "left hind leg", "right hind leg"}),
        ("trex", {"left leg", "right leg"}),
    ],
)
def test_legs_are_called_by_how_many_there_are_and_which_stand_on_the_ground(
    library: AnimatedLibrary, name: str, legs: set[str]
) -> None:
    assert {limb for limb in limbs_of(library.asset(name).moving) if "leg" in limb} == legs
