"""The scores that are PulseCheck457's own: levels, RPDR, coefficient of variation, confusion.

Ref: PulseCheck457 §3.5, §4.3, §4.4.
"""

from __future__ import annotations

from collections.abc import Sequence

from fathom.benchmarks.pulsecheck457.paper import FACTOR_EDGES
from fathom.benchmarks.pulsecheck457.tasks import VOCABULARY
from fathom.records import Question, SampleScore, Score
from fathom.scoring.answers import gather
from fathom.scoring.metrics.accuracy import accuracy_by
from fathom.scoring.metrics.confusion import confusion
from fathom.scoring.metrics.labels import labels_of
from fathom.scoring.metrics.rpdr import rpdr
from fathom.scoring.metrics.variation import variation

ATTRIBUTES = ("shape", "color", "size", "pose")


def level_of(task: str) -> str:
    """Return the level of a task: `L4` of `L4_pose`."""
    return task.split("_", maxsplit=1)[0]


def scores(questions: Sequence[Question], sample_scores: Sequence[SampleScore], seed: int) -> list[Score]:
    """Return accuracy by level, RPDR, and for each attribute its coefficient of variation and confusion."""
    answers = gather(questions, sample_scores)
    found = accuracy_by(answers, "level", lambda q: level_of(q.task))
    found += rpdr(answers, FACTOR_EDGES, seed)
    for attribute in ATTRIBUTES:
        labels = labels_of(answers, attribute)
        if not labels.pairs:
            continue
        found += variation(labels, seed) + confusion(labels)
        if attribute == "shape":
            of_classes = labels.joined("shape class", lambda shape: VOCABULARY.shapes.get(shape, shape))
            found += variation(of_classes, seed) + confusion(of_classes)
    return found
