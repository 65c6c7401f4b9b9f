"""Pairs of questions that are the same but for one thing, of which a model gets one right and one wrong.

Ref: 3DSRBench Figure 4.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from fathom.pages.contrasts import PairDrawn, PairHalf
from fathom.pages.pictures import PagePicture
from fathom.pages.tables import Table
from fathom.records import Contrast, Question, SampleScore
from fathom.reporting.data import ReportData, ReportRun
from fathom.reporting.shots import SMALL_PX, is_video, picture_of
from fathom.reporting.wording import OUTCOMES, outcome_of_all
from fathom.store.seeds import digest

MOST_PAIRS, MOST_DRAWN = 6, 3
"""So many pairs a page shows, and a figure."""


@dataclass(frozen=True)
class ContrastHalf:
    """One question of a pair as the page shows it: its picture, the right answer, what was answered."""

    question: str
    name: str
    picture: PagePicture
    answer: str
    answered: str
    right: bool


@dataclass(frozen=True)
class ContrastPair:
    """A pair of which the first is right and the second is not."""

    task: str
    text: str
    options: tuple[str, ...]
    halves: tuple[ContrastHalf, ContrastHalf]


@dataclass(frozen=True)
class ContrastShown:
    """A contrast: how often each model is right on both, one or none; pairs of `model`, and for a figure."""

    name: str
    title: str
    lead: str
    table: Table
    model: str
    pairs: tuple[ContrastPair, ...]
    figure: tuple[PairDrawn, ...]


Scored = Mapping[str, Sequence[SampleScore]]


def contrasts_shown(data: ReportData, runs: Sequence[ReportRun], joined: bool) -> tuple[ContrastShown, ...]:
    """Return each of the benchmark's contrasts of which the dataset has pairs."""
    scored = [_by_question(run) for run in runs]
    found = []
    for contrast in data.benchmark.contrasts:
        pairs = pairs_of(contrast, data.dataset.questions)
        if pairs and runs:
            found.append(_shown(data, runs, scored, contrast, pairs, joined))
    return tuple(found)


def pairs_of(contrast: Contrast, questions: Sequence[Question]) -> list[tuple[Question, Question]]:
    """Return the pairs of a contrast, in the order of their first questions."""
    together: dict[str, dict[str, Question]] = defaultdict(dict)
    for question in questions:
        if (key := contrast.key(question)) and contrast.part(question) in contrast.parts:
            together[key][contrast.part(question)] = question
    first, second = contrast.parts
    return [(of[first], of[second]) for of in together.values() if len(of) == 2]


def _by_question(run: ReportRun) -> dict[str, list[SampleScore]]:
    found: dict[str, list[SampleScore]] = defaultdict(list)
    for score in sorted(run.sample_scores, key=lambda s: (s.variant.repeat, s.variant.option_order)):
        found[score.question].append(score)
    return found


def _shown(
    data: ReportData,
    runs: Sequence[ReportRun],
    scored: Sequence[Scored],
    contrast: Contrast,
    pairs: Sequence[tuple[Question, Question]],
    joined: bool,
) -> ContrastShown:
    verdicts = [
        [tuple(outcome_of_all(of.get(q.id, ()), joined) == "right" for q in pair) for pair in pairs]
        for of in scored
    ]
    of_models = [k for k, run in enumerate(runs) if not run.baseline] or [0]
    chosen = next((k for k in of_models if (True, False) in verdicts[k]), of_models[0])
    lost = [pair for pair, v in zip(pairs, verdicts[chosen], strict=True) if v == (True, False)]
    shown = _spread([p for p in lost if _single_pictures(data, p)])[:MOST_PAIRS]
    halves = [_pair(data, contrast, pair, scored[chosen], joined) for pair in shown]
    return ContrastShown(
        name=contrast.name,
        title=contrast.title,
        lead=contrast.lead,
        table=_table(contrast, runs, verdicts),
        model=runs[chosen].model,
        pairs=tuple(halves),
        figure=tuple(_drawn(data, p) for p in halves[:MOST_DRAWN] if all(h.picture.uri for h in p.halves)),
    )


def _table(
    contrast: Contrast, runs: Sequence[ReportRun], verdicts: Sequence[Sequence[tuple[bool, ...]]]
) -> Table:
    first, second = contrast.names
    kinds = ((True, True), (True, False), (False, True), (False, False))
    return Table(
        title="Pairs by what was right",
        columns=("", "pairs", "both right", f"only {first}", f"only {second}", "neither"),
        rows=tuple(
            (run.model, str(len(of)), *(str(sum(v == kind for v in of)) for kind in kinds))
            for run, of in zip(runs, verdicts, strict=True)
        ),
    )


def _single_pictures(data: ReportData, pair: tuple[Question, Question]) -> bool:
    return all(len(q.media) == 1 and not is_video(data.dataset, q.media[0]) for q in pair)


def _spread(pairs: Sequence[tuple[Question, Question]]) -> list[tuple[Question, Question]]:
    """Return pairs so that the first ones are of different tasks; which ones follows from their names."""
    by_task: dict[str, list[tuple[Question, Question]]] = defaultdict(list)
    for pair in sorted(pairs, key=lambda p: digest("contrast", p[0].id)):
        by_task[pair[0].task].append(pair)
    ranked = [(place, task, pair) for task, of in by_task.items() for place, pair in enumerate(of)]
    return [pair for _, _, pair in sorted(ranked, key=lambda found: found[:2])]


def _pair(
    data: ReportData, contrast: Contrast, pair: tuple[Question, Question], scored: Scored, joined: bool
) -> ContrastPair:
    first, second = (
        _half(data, question, name, scored.get(question.id, ()), joined)
        for question, name in zip(pair, contrast.names, strict=True)
    )
    titles = data.benchmark.tasks
    return ContrastPair(
        titles.get(pair[0].task, pair[0].task), pair[0].text, pair[0].choices, (first, second)
    )


def _half(
    data: ReportData, question: Question, name: str, scores: Sequence[SampleScore], joined: bool
) -> ContrastHalf:
    outcome = outcome_of_all(scores, joined)
    wrong = next((s.picked for s in scores if s.picked not in (None, question.answer)), None)
    return ContrastHalf(
        question=question.id,
        name=name,
        picture=picture_of(data.dataset, question.media[0], SMALL_PX),
        answer=question.answer,
        answered=question.answer if outcome == "right" else wrong or OUTCOMES[outcome],
        right=outcome == "right",
    )


def _drawn(data: ReportData, pair: ContrastPair) -> PairDrawn:
    media = {q.id: q.media[0] for q in data.dataset.questions if q.id in {h.question for h in pair.halves}}
    first, second = (
        PairHalf(data.dataset.picture(media[h.question]), h.name, h.answered, h.right) for h in pair.halves
    )
    return PairDrawn(pair.text, (first, second))
