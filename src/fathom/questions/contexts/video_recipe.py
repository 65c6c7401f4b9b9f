"""What decides the questions on videos."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from fathom.questions.contexts.video_visibility import Reading, Seeing
from fathom.questions.mix import VideoMix
from fathom.questions.templates import Template
from fathom.records import InputError


@dataclass(frozen=True)
class VideoQuestionRecipe:
    """All that decides which questions a set of videos gets.

    drafts_per_form : how many drafts of a form are kept of one video, of `tries` that are made; of
        trajectories, turns and poses of the camera `ways` times as many, which are one another's options, of
        how far and how fast it goes `paces` times: beside a pose few of them can be asked
    spans : how many spans of a video are asked about, of at least `least_span` and at most `most_span` of its
        length
    tolerance : by how many times the least error of its options the tolerance of an answer may exceed it
    apart : how many tolerances every false option of numbers is off at least: by less than two, who is
        within the tolerance of the answer may be nearer to a false one
    redrawn : how often options are drawn again that are not
    finest : how far apart two options are at least, ÷ the largest of the five, and of two objects ÷ their
        distance from the camera: by less nobody could tell metres and speeds apart
    finest_deg : from which difference of an angle on boxes and poses need not be
    reading : what a careful person is taken to read from frames
    errors : how far apart options lie: "graded" by how finely that person could answer, or within the ranges
        of the setting, as in the "paper"
    media : the id of a video's media: "{scene}", "{video}"
    """

    seed: str
    forms: tuple[Template, ...]
    seeing: Seeing = field(default_factory=Seeing)
    mix: VideoMix = field(default_factory=VideoMix)
    drafts_per_form: int = 4
    tries: int = 14
    ways: int = 7
    paces: int = 3
    spans: int = 3
    least_span: float = 0.25
    most_span: float = 0.9
    tolerance: float = 3.0
    apart: float = 2.0
    redrawn: int = 24
    finest: float = 0.03
    finest_deg: float = 3.0
    reading: Reading = field(default_factory=Reading)
    errors: Literal["graded", "paper"] = "graded"
    media: str = "{video}"

    def __post_init__(self) -> None:
        """Raise InputError where spans leave nothing to choose from."""
        if not 0 < self.least_span <= self.most_span <= 1 or self.spans < 1:
            raise InputError(
                f"questions about tracks: {self.spans} spans of {self.least_span:g} to {self.most_span:g} of "
                "a video: expected at least one, and shares between 0 and 1, the least first; correct the "
                "recipe"
            )
