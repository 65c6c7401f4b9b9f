"""A study: one benchmark put in several ways, each compared with the first of them.

Each point is an ordinary run that was scored. What stands here is what they come to together: the scores by
point and task, the difference of each point from the baseline on the same questions, and what somebody would
score who knew what the pictures show and no more.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import msgspec

from fathom.media.cells import cells_shown, expected_accuracy, needs_of
from fathom.pages.published import find_score
from fathom.pages.scope import LOST, Scope, sentences
from fathom.records import (
    InputError,
    MediaOf,
    Protocol,
    Question,
    SampleScore,
    Score,
    Study,
    StudyMeasure,
    StudyPoint,
    pictures_of,
    without_answer,
)
from fathom.scoring.compare import paired_units
from fathom.scoring.folder import ScoredRun
from fathom.stats.paired import Difference, paired_difference
from fathom.stats.significance import holm

RUNS = "runs"
"""Where the runs of a study's points lie, each in a folder of the point's name."""


@dataclass(frozen=True)
class MediaShown:
    """What a point shows: pictures a question, and how often they, or else a guess, give the right answer.

    `expected` is None where a question does not say what has to be seen to answer it.
    """

    pictures: float
    expected: float | None


@dataclass(frozen=True)
class PointFound:
    """One point: its run, what it shows, its scores by measure, those of the tasks, and how far it is from
    the baseline, whose own `difference` is None. `adjusted` is the p-value after Holm over the points.
    """

    point: StudyPoint
    run: str
    seen: MediaShown
    measures: tuple[Score, ...]
    tasks: Mapping[str, Score]
    chance: float | None = None
    difference: Difference | None = None
    adjusted: float | None = None


@dataclass(frozen=True)
class StudyFound:
    """A study of one model; `measure` is the one that is compared.

    `model` and the titles of points are named with what their numbers are not, which `notes` tell.
    """

    study: Study
    benchmark: str
    model: str
    dataset: str
    official: bool
    titles: Mapping[str, str]
    measure: StudyMeasure
    points: tuple[PointFound, ...]
    notes: tuple[str, ...] = ()


def settings_of(study: Study, point: StudyPoint, changed: Mapping[str, str]) -> dict[str, str]:
    """Return the settings of one point of a study, some of those that hold for all points changed.

    Raises InputError for one that the study itself varies.
    """
    varied = {name for p in study.points for name in p.settings}
    if both := sorted(varied & set(changed)):
        raise InputError(
            f"--set {both[0]}={changed[both[0]]}: is what the study {study.name} varies; leave it out"
        )
    return {**study.settings, **changed, **point.settings}


def seen_of(questions: Sequence[Question], protocol: Protocol, media_of: MediaOf) -> MediaShown:
    """Return what the first pass of each question shows. Raises InputError where there is no question."""
    if not questions:
        raise InputError("a study needs at least one question of its tasks, and the dataset has none")
    prompts = {}
    for question in questions:
        asked = without_answer(question)
        prompts[question.id] = protocol.prompt(asked, protocol.variants(asked)[0], media_of)
    expected = None
    if all(needs_of(q) for q in questions):
        cells = {q.id: cells_shown(prompts[q.id], q.media, media_of) for q in questions}
        expected = expected_accuracy(questions, lambda q: cells[q.id])
    pictures = sum(len(pictures_of(prompt)) for prompt in prompts.values()) / len(prompts)
    return MediaShown(pictures, expected)


def study_found(
    study: Study, runs: Sequence[ScoredRun], seen: Sequence[MediaShown], seed: str = "0"
) -> StudyFound:
    """Return what the runs of a study's points, in their order, come to.

    Raises InputError where no measure has a value in all of them, or the points were not asked alike.
    """
    baseline = next(
        (run for point, run in zip(study.points, runs, strict=True) if point.name == study.baseline), runs[0]
    )
    measure = _measure(study, runs)
    differences = [None if run is baseline else _difference(run, baseline, measure, seed) for run in runs]
    known = [d for d in differences if d is not None]
    adjusted = iter(holm([d.p_value for d in known]))
    points = tuple(
        PointFound(
            point=replace(point, title=_lost(run).named(point.title)),
            run=f"{RUNS}/{point.name}",
            seen=shown,
            measures=tuple(s for m in study.measures if (s := find_score(run.scores, m.name, m.group))),
            tasks=_by_task(run, measure),
            chance=_chance(run, measure),
            difference=difference,
            adjusted=None if difference is None else next(adjusted),
        )
        for point, run, shown, difference in zip(study.points, runs, seen, differences, strict=True)
    )
    first = runs[0]
    whole = _scope(study, runs)
    return StudyFound(
        study=study,
        benchmark=first.benchmark.name,
        model=whole.named(first.name),
        dataset=first.dataset.manifest.identity,
        official=first.official,
        titles={task: first.benchmark.tasks.get(task, task) for task in points[0].tasks},
        measure=measure,
        points=points,
        notes=(
            *replace(whole, lost={}).notes(first.name),
            *sentences([(p.title, _lost(run)) for p, run in zip(study.points, runs, strict=True)]),
        ),
    )


def _scope(study: Study, runs: Sequence[ScoredRun]) -> Scope:
    """Return what the runs of a study stand on together, of the questions that the study is about."""
    of = sum(not study.tasks or q.task in study.tasks for q in runs[0].dataset.questions())
    lost = {name: sum(run.scope.lost.get(name, 0) for run in runs) for name in LOST}
    return Scope(min(r.scope.asked for r in runs), of, sum(r.scope.due for r in runs), lost)


def _lost(run: ScoredRun) -> Scope:
    """Return what a point lacks, of the questions that it was to put."""
    return replace(run.scope, asked=0, of=0)


def _measure(study: Study, runs: Sequence[ScoredRun]) -> StudyMeasure:
    """Return the first measure that has a value at every point."""
    for measure in study.measures:
        found = [find_score(run.scores, measure.name, measure.group) for run in runs]
        if all(score is not None and score.value is not None for score in found):
            return measure
    titles = ", ".join(measure.title for measure in study.measures)
    raise InputError(
        f"the study {study.name}: expected one of {titles} at every point, found none; "
        f"`fathom score {runs[0].folder.path}` says why"
    )


def _by_task(run: ScoredRun, measure: StudyMeasure) -> dict[str, Score]:
    scores = {task: find_score(run.scores, measure.name, {"task": task}) for task in run.benchmark.tasks}
    return {task: score for task, score in scores.items() if score is not None and score.n}


def _chance(run: ScoredRun, measure: StudyMeasure) -> float | None:
    score = find_score(run.scores, "chance") if measure.name == "accuracy" else None
    return score.value if score else None


def _difference(run: ScoredRun, baseline: ScoredRun, measure: StudyMeasure, seed: str) -> Difference:
    """Return how far a point is from the baseline, as a share of the most that a value can be."""
    first, second = (worth(r.sample_scores, measure) for r in (run, baseline))
    units, _ = paired_units(list(run.dataset.questions()), first, second)
    return paired_difference(
        [u.first for u in units], [u.second for u in units], [u.cluster for u in units], seed=seed
    )


def worth(sample_scores: Sequence[SampleScore], measure: StudyMeasure) -> list[SampleScore]:
    """Return the sample scores with what the measure makes of each, 0 to 1, without those that have none."""
    if not measure.details:
        return list(sample_scores)
    return [
        msgspec.structs.replace(sample_score, value=min(1.0, sum(held) / len(held) / measure.top))
        for sample_score in sample_scores
        if len(
            held := [sample_score.details[name] for name in measure.details if name in sample_score.details]
        )
        == len(measure.details)
    ]
