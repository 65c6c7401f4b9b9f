"""Cameras in a room that look at people, and at what they have to do with, from where it shows.

for pose in looks_at_people(picture, boxes): ...
"""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from fathom.assets.spec import PERSON
from fathom.geometry.poses import quaternion
from fathom.records import Pose
from fathom.scenes.holding import offers
from fathom.scenes.room_picture import RoomPicture
from fathom.scenes.videos import routes
from fathom.scenes.videos.boxes import Boxes
from fathom.scenes.videos.furnishing_rooms import Stand
from fathom.scenes.viewpoints import COMMON, RANGES, room_for_eye, turned_view

LOOKS, YAW_RAD, HIGH_M = 50, 0.22, (0.8, 0.95)
"""So many cameras look at each, so far beside their middle, and so high above the floor."""

HAND_M, PAIR_M = (1.95, 3.0), (2.2, 4.4)
"""From how far off what is on a hand is looked at, and people with something else."""

WITHIN_RAD = 1.2
"""So far beside the direction from which it shows best cameras are at most."""


def looks_at_people(picture: RoomPicture, boxes: Boxes) -> Iterator[Pose]:
    """Yield cameras, clear of some boxes, that look at people and what they have to do with: from before
    an open hand, from beside who looks at or pushes something, from anywhere at others.
    """
    for group in picture.groups:
        if any(s.asset.category == PERSON for s in group):
            yield from _looks_at(picture, boxes, group)


def _looks_at(picture: RoomPicture, boxes: Boxes, group: tuple[Stand, ...]) -> Iterator[Pose]:
    layout, g = picture.layout, picture.layout.g
    who = next(s for s in group if s.asset.category == PERSON)
    hand, profile = offers(who.asset), any(s is who for s in picture.profiles)
    middle = np.mean([s.place_m[:2] for s in group], axis=0)
    for _ in range(LOOKS):
        turn = float(g.uniform(-WITHIN_RAD, WITHIN_RAD) if hand or profile else g.uniform(-math.pi, math.pi))
        side = 0.0 if hand or not profile else math.copysign(math.pi / 2, g.random() - 0.5)
        way, away = who.heading_rad + side + turn, float(g.uniform(*(HAND_M if hand else PAIR_M)))
        eye = np.array([*(middle + away * np.array([math.cos(way), math.sin(way)])), 0.0])
        eye[2] = g.uniform(*RANGES[COMMON].height_m)
        if room_for_eye(layout, boxes, eye):
            yaw = way + math.pi + float(g.normal(0, YAW_RAD))
            pitch = math.atan2(float(g.uniform(*HIGH_M)) - eye[2], away)
            yield routes.rounded(eye, quaternion(turned_view(yaw, pitch, 0.0)), 0.0)
