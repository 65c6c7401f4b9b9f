"""When a question can be about the camera's pose."""

from __future__ import annotations

from fathom.programs.operators.quantities import camera_poses
from fathom.programs.values import Unanswerable
from fathom.questions.contexts.video import VideoContext


def has_poses(stage: VideoContext) -> bool:
    """Return whether the camera has a pose at all times: it never looks straight up or down."""
    try:
        camera_poses(stage.tracks)
    except Unanswerable:
        return False
    return True
