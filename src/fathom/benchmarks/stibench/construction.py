"""How questions of a built STI-Bench are made from videos, and which frames of a video are shown.

Ref: STI-Bench §3.2, §4.1.
"""

from __future__ import annotations

from fathom.benchmarks.stibench.protocol import PAPER
from fathom.datasets.generators.videos_settings import VideoRecipe
from fathom.media.sampling import sample
from fathom.questions.tracks import TrackRecipe
from fathom.records import Media


def recipe(seed: str) -> VideoRecipe:
    """Return what decides the questions of a set of videos."""
    return VideoRecipe(questions=TrackRecipe(seed=seed), frames=frames)


def frames(media: Media) -> tuple[int, ...]:
    """Return the frames that the paper's protocol shows of a video: they are the ones that get truth."""
    return tuple(sample(media.frames, PAPER.frames, PAPER.sampling))
