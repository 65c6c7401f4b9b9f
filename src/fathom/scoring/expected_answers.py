"""What a run was to answer: which questions, and in which passes; an answer that is not there is not dropped.

All questions of its tasks were to be put, each in every pass of its protocol. Only a run under `--limit` was
to put fewer; its manifest says how many. Of a file that was imported as a part of the questions, those are
due that it holds.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence

import msgspec

from fathom.pages.scope import LOST, Scope
from fathom.records import (
    GUESSERS,
    Benchmark,
    InputError,
    Protocol,
    Question,
    SampleScore,
    Variant,
    without_answer,
)
from fathom.scoring.groups import FLIPPED, Stopped
from fathom.scoring.groups import group_name as name_of_group
from fathom.scoring.metrics.accuracy import OUTCOMES
from fathom.store.asked import wanted_questions
from fathom.store.datasets import Dataset
from fathom.store.runs import RunFolder

Passes = Callable[[Question], Sequence[Variant]]

_RECORDED = "protocol."
_IMPORTED = "import-run"


def questions_due(
    folder: RunFolder, dataset: Dataset, answered: frozenset[str]
) -> tuple[list[Question], int]:
    """Return the questions that a run was to put, in the order of the dataset, and of how many.

    `answered` are the ids of those with a response of whatever status; all of them were to be put.
    """
    every = list(dataset.questions())
    if _is_a_part(folder):
        wanted: frozenset[int] | None = frozenset()
    else:
        wanted = wanted_questions(dataset, folder.limit, folder.tasks)
    due = [q for i, q in enumerate(every) if wanted is None or i in wanted or q.id in answered]
    return due, len(every)


def _is_a_part(folder: RunFolder) -> bool:
    """Return whether what is due is what is there: of a part that was imported, and of a run under a limit
    from before the manifest said so, which ended with every request answered.
    """
    if folder.manifest.complete:
        return False
    if folder.manifest.command == _IMPORTED:
        return True
    counts = folder.manifest.counts
    settled = counts.get("done", 0) + counts.get("spared", 0)
    return (
        not folder.limit and bool(settled) and settled == counts.get("requests") and not counts.get("failed")
    )


def passes_due(folder: RunFolder, benchmark: Benchmark) -> Passes:
    """Return what tells in which passes a question was to be put; () where that is not known."""
    protocol = _protocol_of(folder, benchmark)
    if protocol is None:
        return lambda question: ()
    variants, repeats = protocol.variants, folder.repeats

    def passes(question: Question) -> Sequence[Variant]:
        every = variants(without_answer(question))
        if repeats == 1:
            return every
        return tuple(msgspec.structs.replace(v, repeat=k) for k in range(repeats) for v in every)

    return passes


def _protocol_of(folder: RunFolder, benchmark: Benchmark) -> Protocol | None:
    """Return the protocol under which a run was made, from its manifest's settings; None for one unknown."""
    settings = folder.manifest.settings
    found = benchmark.protocols.get(str(settings.get("protocol", "")))
    if found is None or found.changed is None:
        return found
    recorded = {name: settings.get(f"{_RECORDED}{name}") for name in found.settings}
    texts = {name: _text(value) for name, value in recorded.items() if value is not None}
    try:
        return found.changed(texts)
    except InputError:
        return None


def _text(value: object) -> str:
    return ("no", "yes")[value] if isinstance(value, bool) else str(value)


def without_needless(
    questions: Sequence[Question], sample_scores: Sequence[SampleScore], stopped: Stopped, complete: bool
) -> list[SampleScore]:
    """Return the sample scores of a run that was stopped early, without the passes that were not needed.

    Those are of groups that another pass decided. Read under another extractor than that of the stop, they do
    not tell which groups these are: then nothing is missing of a run that is `complete`.
    """
    flips = {q.id: q.groups.flip for q in questions if q.groups.flip}

    def group(sample_score: SampleScore) -> str:
        # Both verdicts follow from circular ones, but what is spared is a pass of the stop's own grouping.
        flip = flips.get(sample_score.question, "") if stopped.grouping in FLIPPED else ""
        return name_of_group(sample_score.question, flip, stopped.grouping)

    if complete and any(sample_score.extractor != stopped.extractor for sample_score in sample_scores):
        return [sample_score for sample_score in sample_scores if not OUTCOMES["missing"](sample_score)]
    decided = {
        group(m)
        for m in sample_scores
        if m.extractor == stopped.extractor and m.status != "failed" and m.value < 1
    }
    return [m for m in sample_scores if not (OUTCOMES["missing"](m) and group(m) in decided)]


def scope_of(sample_scores: Sequence[SampleScore], asked: int, of: int, model: str = "") -> Scope:
    """Return what the sample scores of a run stand on: questions `asked`, `of` how many there are.

    An empty text of a baseline of ours is meant so, and not lost.
    """
    silent = model.partition(":")[0] in GUESSERS
    names = [name for name in LOST if not (silent and name == "empty")]
    lost = Counter(name for sample_score in sample_scores for name in names if OUTCOMES[name](sample_score))
    return Scope(asked, of, len(sample_scores), {name: lost[name] for name in LOST if lost[name]})
