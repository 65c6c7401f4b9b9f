"""One call of the work on videos: what both halves of it share."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from fathom.authoring.outcomes import Outcomes
from fathom.authoring.work import Work
from fathom.benchmarks.stibench.authoring.facts import recipe_of
from fathom.benchmarks.stibench.authoring.footage import opened
from fathom.benchmarks.stibench.authoring.review import People
from fathom.benchmarks.stibench.authoring.settings import VideoWriting
from fathom.benchmarks.stibench.authoring.vocabulary import DescriptionVocabulary
from fathom.questions.contexts.video import VideoContext
from fathom.records import Media, Scene


@dataclass(frozen=True)
class VideoWork:
    """The work, its settings, the videos by their scenes, and the words for what is in them."""

    work: Work
    writing: VideoWriting
    films: Mapping[str, tuple[Scene, Media]]
    vocabulary: DescriptionVocabulary

    @cached_property
    def people(self) -> People:
        """What people decide."""
        return People(self.work, self.writing.people == "yes")

    @property
    def outcomes(self) -> Outcomes:
        """What became of everything."""
        return self.work.outcomes

    def stage(self, scene: str) -> VideoContext:
        """Return a video with what the frames that are shown let one see of it."""
        return opened(self.work.dataset, self.films[scene][0], recipe_of(self.writing))
