"""Settings of the questions about videos."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from fathom.records import InputError


@dataclass(frozen=True)
class VideoQuestionSettings:
    """What is asked, and what is shown for it.

    margin_s : between the end of the clip and the beginning of the action that is to be predicted
    before_s : the longest clip before an action that is to be predicted
    least_s : the shortest such clip
    fewest_steps : actions in the shortest list of a procedure
    most_steps : actions in the longest list of a procedure
    most : questions of each dimension, drawn evenly over classes, videos or activities; 0: all
    predictions : how wrong options of an action that is to be predicted are found; exchanged: each of four is
        right of a clip, and which is asked about is drawn; drawn: more questions, of which a guesser that
        learnt others gets more right than by chance
    seed : of everything that is drawn
    tried : sets of wrong options that are drawn for a question; the one that levels shortcuts best is kept
    fps : the most frames a second of a clip
    height : the most pixels of a clip from top to bottom
    """

    margin_s: float = field(default=1.0, metadata={"least": 0})
    before_s: float = 10.0
    least_s: float = 2.0
    fewest_steps: int = 4
    most_steps: int = 5
    most: int = field(default=0, metadata={"least": 0})
    predictions: Literal["exchanged", "drawn"] = "exchanged"
    seed: int = 0
    tried: int = field(default=40, metadata={"least": 1})
    fps: float = 15.0
    height: int = field(default=480, metadata={"least": 2})


def check_settings(settings: VideoQuestionSettings) -> None:
    """Raise InputError for settings that make no sense."""
    if settings.margin_s < 0:
        raise InputError(f"--set margin_s={settings.margin_s:g}: expected 0 or more seconds; correct it")
    if not 0 < settings.least_s <= settings.before_s:
        raise InputError(
            f"--set least_s={settings.least_s:g}: expected more than 0 and at most before_s="
            f"{settings.before_s:g} seconds; correct one of them"
        )
    if not 2 < settings.fewest_steps <= settings.most_steps:
        raise InputError(
            f"--set fewest_steps={settings.fewest_steps}: expected at least 3 and at most most_steps="
            f"{settings.most_steps}; correct one of them"
        )
    if settings.fps <= 0 or settings.height < 2 or settings.tried < 1 or settings.most < 0:
        raise InputError(
            f"--set fps={settings.fps:g} height={settings.height} tried={settings.tried} most="
            f"{settings.most}: expected a positive rate, at least 2 pixels, at least 1 set, and most from 0; "
            "correct them"
        )
