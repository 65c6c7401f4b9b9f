"""What a question about the camera's pose gives, and what its options are made of: the camera's own way."""

from __future__ import annotations

from fathom.programs.operators.quantities import camera_poses
from fathom.programs.values import Unanswerable
from fathom.questions.contexts.video import VideoContext
from fathom.questions.numeric.camera_poses import CameraPath
from fathom.questions.numeric.number_format import number, rounded
from fathom.questions.templates import Template

GIVEN_DEG = 0.1
"""To what the angles of the first pose are rounded."""


def has_poses(stage: VideoContext) -> bool:
    """Return whether the camera has a pose at all times: it never looks straight up or down."""
    try:
        camera_poses(stage.tracks)
    except Unanswerable:
        return False
    return True


def way_of(stage: VideoContext, form: Template, times: tuple[str, ...]) -> CameraPath | None:
    """Return the camera's way, with the time at which its pose is asked for; None where that is not asked."""
    if form.asks != "pose":
        return None
    t = stage.tracks
    return CameraPath(camera_poses(t), t.times_s - t.times_s[0], t.at(float(times[0])))


def given(way: CameraPath) -> str:
    """Return the first pose as a question gives it."""
    pitch, roll = (number(float(rounded(v, GIVEN_DEG)), GIVEN_DEG) for v in way.poses[0, 4:])
    return f" There, the first pose is position (0, 0, 0), yaw 0°, pitch {pitch}°, roll {roll}°."
