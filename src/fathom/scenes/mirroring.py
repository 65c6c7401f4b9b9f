"""A scene as its mirror image shows it: every place and turn reflected, all still proper rotations."""

from __future__ import annotations

import msgspec
import numpy as np

from fathom.geometry.poses import quaternion, rotation_matrix
from fathom.records import Camera, Pose, Scene

ACROSS = np.diag([-1.0, 1.0, 1.0])
"""World x is turned round; for a camera, whose x points right, so is its own."""

SIDEWAYS = np.diag([1.0, -1.0, 1.0])
"""An object keeps its front and its top, and its left becomes its right."""


def mirrored(scene: Scene) -> Scene:
    """Return the scene of which every camera takes the mirror image of what it took.

    Left and right of everything are exchanged; distances, heights and fronts stay. Models would have to be
    mirrored too where their left differs from their right. Mirrored twice, it is the scene again.
    """
    cameras = tuple(_camera(c) for c in scene.cameras)
    objects = tuple(
        msgspec.structs.replace(o, poses=tuple(_pose(p, SIDEWAYS) for p in o.poses)) for o in scene.objects
    )
    found: Scene = msgspec.structs.replace(scene, cameras=cameras, objects=objects, visibility=())
    return found


def _camera(camera: Camera) -> Camera:
    poses = tuple(_pose(p, ACROSS) for p in camera.poses)
    found: Camera = msgspec.structs.replace(camera, cx=camera.width - camera.cx, poses=poses)
    return found


def _pose(pose: Pose, own: np.ndarray) -> Pose:
    x, y, z = pose.position_m
    turn = quaternion(ACROSS @ rotation_matrix(pose.rotation_wxyz) @ own)
    found: Pose = msgspec.structs.replace(pose, position_m=(-x, y, z), rotation_wxyz=turn)
    return found
