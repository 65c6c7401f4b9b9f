"""The sentences about the sides of the object alone, about one video of it, and which limb sets out first."""

from __future__ import annotations

from fathom.benchmarks.fourdbench.sentences.meaning import WHOLE
from fathom.benchmarks.fourdbench.sentences.patterns import ask

ACTION, SPATIAL = "action", "spatial_relationship"
TEMPORAL = "temporal_relationship"

THIS_VIDEO = "<this video>"
"""Stands for the view that a question shows."""


SIDES = (
    *ask(
        ACTION,
        r"which of these does <actor> start to move first\?",
        r"which part of <actor> starts to move first\?",
        build=lambda a: ("limb_onset", a.moment),
        moments=(0, 1),
    ),
    *ask(
        ACTION,
        r"in this video, which way does <actor> go\?",
        r"which way does <actor> go in this video\?",
        build=lambda a: ("goes_seen", THIS_VIDEO, a.moment),
        moments=(0, 1),
    ),
    *ask(
        SPATIAL,
        r"in this video, which way does <actor> face\?",
        r"which way is <actor> facing in this video\?",
        r"in this video, which way is <actor> facing\?",
        build=lambda a: ("faces_seen", THIS_VIDEO, a.moment),
        moments=(0, 1),
    ),
    *ask(
        SPATIAL,
        r"in this video, which part of <actor> is closest to the camera\?",
        build=lambda a: ("nearest_seen", THIS_VIDEO, a.moment),
        moments=(0, 1),
    ),
    *ask(
        TEMPORAL,
        r"where is <actor> at the end of this video, compared with the beginning\?",
        r"compared with the beginning, where is <actor> at the end of this video\?",
        build=lambda a: ("goes_seen", THIS_VIDEO, WHOLE),
    ),
)
