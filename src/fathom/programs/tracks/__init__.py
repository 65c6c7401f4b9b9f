"""Videos as programs see them: where the camera and all things are at every frame, and what can be asked.

from fathom.programs.tracks import refer, run, tracks_of

tracks = tracks_of(scene).with_seen(frames, seen)     # what the frames that are shown let one make out
refer(tracks, "mug-2", tracks.span(1.0, 8.0))         # words for a thing, and the steps that select it
run(question.program, tracks)                         # value, unit, tolerance, margin
"""

from fathom.programs.tracks.engine import (
    Answered,
    joined,
    margin_against,
    resolved,
    run,
    trace,
    unneeded,
    wrongness,
)
from fathom.programs.tracks.facts import CAMERA, Tracks, tracks_of
from fathom.programs.tracks.operators import OPERATORS
from fathom.programs.tracks.referring import Expression, expressions, refer
from fathom.programs.tracks.rules import RULES, TrackRules, rules_of
from fathom.programs.tracks.telling import told, units_of
from fathom.programs.tracks.values import Kind, Measured

__all__ = [
    "CAMERA",
    "OPERATORS",
    "RULES",
    "Answered",
    "Expression",
    "Kind",
    "Measured",
    "TrackRules",
    "Tracks",
    "expressions",
    "joined",
    "margin_against",
    "refer",
    "resolved",
    "rules_of",
    "run",
    "told",
    "trace",
    "tracks_of",
    "units_of",
    "unneeded",
    "wrongness",
]
