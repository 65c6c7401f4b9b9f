"""The jitter test: the same scene with everything moved a little, twenty times."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from fathom.programs.predicates import RelationInputs, world_of
from fathom.programs.rules import Shake
from fathom.programs.state import SceneState
from fathom.records import ObjectVisibility, Pose, Scene
from fathom.store.seeds import rng

SightsUnder = Callable[[Scene, Sequence[Sequence[Pose]]], Sequence[Sequence[ObjectVisibility]]]
"""What the camera sees of a scene's objects at other poses: one tuple of sights for each tuple of poses."""


def shaken_world(state: SceneState, shake: Shake, seed: str) -> RelationInputs:
    """Return the worlds of the jitter test: x, y and headings moved uniformly by up to the shake's
    amounts.

    What the real shapes sweep is taken from the scene as it is: their own tolerance covers the shake.
    """
    world = world_of(state)
    g = rng(seed, "jitter", state.scene)
    n = len(state.objects)
    moved = world.positions + g.uniform(-shake.position_m, shake.position_m, (shake.draws, n, 2))
    turned = world.headings + g.uniform(-shake.heading_rad, shake.heading_rad, (shake.draws, n))
    return replace(world, positions=np.asarray(moved), headings=np.asarray(turned))


def shaken_poses(scene: Scene, world: RelationInputs) -> list[tuple[Pose, ...]]:
    """Return the poses of every object in each of the worlds; heights stay as they are."""
    return [
        tuple(
            Pose(
                position_m=(float(x), float(y), obj.poses[0].position_m[2]),
                rotation_wxyz=(math.cos(h / 2), 0.0, 0.0, math.sin(h / 2)),
            )
            for obj, (x, y), h in zip(scene.objects, places, headings, strict=True)
        )
        for places, headings in zip(world.positions, world.headings, strict=True)
    ]
