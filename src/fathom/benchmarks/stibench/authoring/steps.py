"""From videos to questions, step by step.

    describe   a model describes objects; each description is held against the truth
    review     people decide what the truth cannot, of descriptions
    facts      what can be asked of them, with exact answers and five options, derived twice
    ask        a model puts facts into questions; each is held against its fact
    review     people decide what only they can, of questions
    blind      models that see nothing try; what all get right goes

Only the facts, once drawn, stay (facts.jsonl), since questions are asked about them.
"""

from __future__ import annotations

from collections.abc import Sequence

from fathom.authoring.protocol import Writing
from fathom.authoring.work import Work
from fathom.benchmarks.stibench.authoring.description_step import facts_in
from fathom.benchmarks.stibench.authoring.footage import films_of
from fathom.benchmarks.stibench.authoring.question_step import questions_in
from fathom.benchmarks.stibench.authoring.settings import VideoWriting
from fathom.benchmarks.stibench.authoring.videos import VideoWork
from fathom.benchmarks.stibench.authoring.vocabulary import vocabulary_of
from fathom.programs.views.video import video_view
from fathom.records import Question
from fathom.store.datasets import Dataset
from fathom.store.subjects import Subject


def begin(dataset: Dataset, writing: VideoWriting) -> Writing:
    """Return the work on the videos of a dataset. Raises InputError where the truth of one is not there."""
    films = {scene.id: (scene, media) for scene, media in films_of(dataset, writing.videos)}
    tracks = [video_view(scene) for scene, _ in films.values()]
    vocabulary = vocabulary_of((n for t in tracks for n in t.names), (c for t in tracks for c in t.colors))

    def go_on(work: Work) -> Sequence[Question]:
        videos = VideoWork(work, writing, films, vocabulary)
        return questions_in(videos, facts_in(videos))

    return Writing(
        subjects={scene: Subject(scene, (media,)) for scene, (_, media) in films.items()},
        columns={name: name for name in sorted({t.rules.name for t in tracks})},
        seed=writing.seed,
        go_on=go_on,
    )
