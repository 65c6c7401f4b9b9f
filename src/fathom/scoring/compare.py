"""Two runs on the same questions: who is better, on which task, and how surely."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import msgspec

from fathom.english import signed
from fathom.pages.tables import Table, per_cent
from fathom.records import InputError, Question, SampleScore
from fathom.scoring.compare_metrics import MetricDifference
from fathom.scoring.groups import Grouping, form_groups, values_of
from fathom.scoring.put_alike import check_rotated, put_alike, withheld_sentence
from fathom.stats.clusters import cluster_of
from fathom.stats.paired import Difference, paired_difference
from fathom.stats.planning import more_questions, smallest_difference
from fathom.stats.significance import holm
from fathom.stats.wording import (
    LEVEL,
    difference_sentence,
    more_sentence,
    p_words,
    planning_sentence,
)

_NOT_ALIKE = "questions or groups that were not asked alike of both runs"
_OPEN = "groups that {} left open, with an answer that failed and no wrong one"
_BOTH_OPEN = "groups that both left open, with an answer that failed and no wrong one"


@dataclass(frozen=True)
class Unit:
    """What counts as one when two runs are compared: a question, or a group of passes."""

    task: str
    cluster: str
    first: float
    second: float


@dataclass(frozen=True)
class TaskComparison:
    """The difference on one task; `adjusted` is its p-value after Holm over all tasks."""

    task: str
    title: str
    difference: Difference
    adjusted: float
    sentence: str


@dataclass(frozen=True)
class Comparison:
    """Two runs side by side. `smallest` is the difference that so many questions would show.

    `more` is how many more would separate these two (None: no number), `left_out` how many units are not
    compared and `why_left_out` for what reasons, `sentences` what it all says. `own` is the difference by
    metrics of one's own.
    """

    first: str
    second: str
    grouping: Grouping
    overall: Difference
    tasks: tuple[TaskComparison, ...]
    smallest: float | None
    more: int | None
    left_out: int
    sentences: tuple[str, ...]
    why_left_out: tuple[str, ...] = ()
    own: tuple[MetricDifference, ...] = ()

    @property
    def first_is_worse(self) -> bool:
        """Whether the first run is surely worse, on all questions or on a task (after Holm)."""
        return (self.overall.p_value < LEVEL and self.overall.value < 0) or any(
            t.adjusted < LEVEL and t.difference.value < 0 for t in self.tasks
        )


def compare_samples(
    questions: Sequence[Question],
    first: Sequence[SampleScore],
    second: Sequence[SampleScore],
    *,
    names: tuple[str, str] = ("first", "second"),
    titles: Mapping[str, str] | None = None,
    grouping: Grouping = "plain",
    early: tuple[bool, bool] = (False, False),
    seed: int | str = 0,
) -> Comparison:
    """Return how two runs differ on the questions that both were asked, task by task.

    `titles` are those of the tasks, in the order in which they are shown; `early` says which run was
    stopped once groups were decided. Raises InputError where options were not rotated and should be, no
    question is common to both, or all were put in other ways in the second run than in the first.
    """
    units, why = paired_units(questions, first, second, grouping, early)
    overall = _difference(units, seed)
    of_task: defaultdict[str, list[Unit]] = defaultdict(list)
    for unit in units:
        of_task[unit.task].append(unit)
    known = {task: k for k, task in enumerate(titles or {})}
    order = sorted(of_task, key=lambda t: (known.get(t, len(known)), t))
    found = [_difference(of_task[task], seed) for task in order]
    adjusted = holm([d.p_value for d in found])
    tasks = tuple(
        TaskComparison(task, title, d, p, difference_sentence(*names, d, p, where=title))
        for task, d, p in zip(order, found, adjusted, strict=True)
        for title in [(titles or {}).get(task, task)]
    )
    effect = max(1.0, overall.design_effect)
    return Comparison(
        first=names[0],
        second=names[1],
        grouping=grouping,
        overall=overall,
        tasks=tasks,
        smallest=smallest_difference(overall.n, overall.spread, design_effect=effect),
        more=more_questions(overall.value, overall.spread, overall.n, design_effect=effect),
        left_out=sum(why.values()),
        sentences=(*withheld_sentence(names, first, second), *_sentences(names, overall, tasks, effect)),
        why_left_out=tuple(f"{n:,} {reason.format(*names)}" for reason, n in why.items() if n),
    )


def paired_units(
    questions: Sequence[Question],
    first: Sequence[SampleScore],
    second: Sequence[SampleScore],
    grouping: Grouping = "plain",
    early: tuple[bool, bool] = (False, False),
) -> tuple[list[Unit], dict[str, int]]:
    """Return what both runs were asked, unit by unit, and how many units are left out for which reason.

    Without a grouping a unit is a question, worth the mean of its passes and repeats; with one it is a group,
    worth 1 where every pass is right. A run that was stopped `early` was not asked what was decided: its
    verdicts are compared, and what either run left open is left out of both. Raises InputError, see
    `compare_samples`.
    """
    by_id = {q.id: q for q in questions}
    why: dict[str, int] = {}
    for sample_score in (*first, *second):
        if sample_score.question not in by_id:
            raise InputError(
                f"sample score of question {sample_score.question!r}: the dataset holds no such question; "
                "score the run with the dataset that it was made on"
            )
    if grouping == "plain":
        worth = [_means(first), _means(second)]
        common = put_alike(first, second)
    else:
        check_rotated(grouping, first, second)
        found = [_groups(questions, m, grouping, e) for m, e in zip((first, second), early, strict=True)]
        undecided = [{q for q, right in each.items() if right is None and any(early)} for each in found]
        worth = [{q: right or 0.0 for q, right in each.items()} for each in found]
        common = sorted((set(worth[0]) & set(worth[1])) - undecided[0] - undecided[1])
        why = {_OPEN.format(run): len(names) for run, names in zip(("{0}", "{1}"), undecided, strict=True)}
        both = len(undecided[0] & undecided[1])
        if both:
            why = {**{k: n - both for k, n in why.items()}, _BOTH_OPEN: both}
    if not common:
        raise InputError("the two runs have no question in common; compare runs on one dataset")
    units = [Unit(by_id[q].task, cluster_of(by_id[q]), worth[0][q], worth[1][q]) for q in common]
    apart = len(set(worth[0]) | set(worth[1])) - len(common) - sum(why.values())
    return units, {_NOT_ALIKE: apart, **why}


def _groups(
    questions: Sequence[Question], sample_scores: Sequence[SampleScore], grouping: Grouping, early: bool
) -> dict[str, float | None]:
    """Return what each group is worth, by its first question: a mean over rotations that are not joined.

    None: that hangs on a pass without an answer.
    """
    found: defaultdict[str, list[bool | None]] = defaultdict(list)
    for group in form_groups(questions, values_of(sample_scores), grouping, early)[0]:
        found[group.question.id].append(group.right)
    return {
        question: None if None in rights else _mean([float(r is True) for r in rights])
        for question, rights in found.items()
    }


def _means(sample_scores: Sequence[SampleScore]) -> dict[str, float]:
    """Return the mean over a question's passes and repeats."""
    found: defaultdict[str, list[float]] = defaultdict(list)
    for sample_score in sorted(
        sample_scores, key=lambda m: m.value
    ):  # A sum must not depend on the order of answers.
        found[sample_score.question].append(sample_score.value)
    return {question: _mean(values) for question, values in found.items()}


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)


def _difference(units: Sequence[Unit], seed: int | str) -> Difference:
    return paired_difference(
        [u.first for u in units], [u.second for u in units], [u.cluster for u in units], seed=seed
    )


def _sentences(
    names: tuple[str, str], overall: Difference, tasks: Sequence[TaskComparison], effect: float
) -> tuple[str, ...]:
    said = [difference_sentence(*names, overall)]
    if overall.first_only or overall.second_only:
        said.append(more_sentence(overall))
        said.append(planning_sentence(overall.n, overall.spread, effect))
    apart = [t for t in tasks if t.adjusted < LEVEL and t.difference.value]
    said += [t.sentence for t in apart]
    differing = overall.first_only + overall.second_only
    if len(tasks) > 1 and differing and not apart:
        said.append(_no_task(names, tasks))
    return tuple(said)


def _no_task(names: tuple[str, str], tasks: Sequence[TaskComparison]) -> str:
    # With k scenes no test by flips of sign has a p-value below 2 / 2ᵏ.
    scenes = max(t.difference.clusters for t in tasks)
    if len(tasks) * 2.0 ** (1 - scenes) >= LEVEL:
        needed = math.ceil(1 + math.log2(len(tasks) / LEVEL))
        return (
            f"{scenes} scenes are too few to tell two runs apart on one of {len(tasks)} tasks, whatever they "
            f"answer; that takes {needed} or more."
        )
    return f"On none of the {len(tasks)} tasks can {names[0]} and {names[1]} be told apart."


def reading_sentence(
    first: str, second: str, by_first: Sequence[SampleScore], by_second: Sequence[SampleScore]
) -> str:
    """Return on how many answers two extractors differ that read the same run."""
    held = {(m.question, m.variant): m.picked for m in by_first}
    pairs = [(held.get((m.question, m.variant)), m.picked) for m in by_second]
    differ = sum(a != b for a, b in pairs)
    alone = [
        sum(a is not None and b is None for a, b in some) for some in (pairs, [(b, a) for a, b in pairs])
    ]
    return (
        f"{first} and {second} read {differ:,} of {len(pairs):,} answers differently: {alone[0]:,} that "
        f"{first} alone could read, {alone[1]:,} that {second} alone could."
    )


def comparison_table(found: Comparison) -> Table:
    """Return the comparison as a table, a row for each task and one for all questions."""
    rows = [_row(t.title, t.difference, t.adjusted) for t in found.tasks]
    rows.append(_row("All questions", found.overall, None))
    notes = [
        "accuracy in %, difference in points with its 95 % interval clustered by what shares a scene, "
        "picture or video; p by "
        f"{found.overall.test}, Holm-adjusted over the tasks",
        "odds: on how many questions the first alone does better, for each on which the second does",
    ]
    if found.grouping != "plain":
        notes.append(f"grouping {found.grouping}: passes that count as one are right where all of them are")
    if found.left_out:
        notes.append(f"left out: {'; '.join(found.why_left_out)}")
    return Table(
        title=f"{found.first} (first) and {found.second} (second)",
        columns=("", "first", "second", "difference [95 %]", "p", "p, Holm-adjusted", "odds [95 %]", "n"),
        rows=tuple(rows),
        notes=tuple(notes),
        groups=(len(found.tasks), 1) if found.tasks else (),
    )


def _row(title: str, d: Difference, adjusted: float | None) -> tuple[str, ...]:
    bounds = "–" if d.clusters < 2 else f"{signed(100 * d.low)}, {signed(100 * d.high)}"
    return (
        title,
        per_cent(d.first),
        per_cent(d.second),
        f"{signed(100 * d.value)} [{bounds}]".replace("-", "−"),
        _p(d.p_value),
        "" if adjusted is None else _p(adjusted),
        _odds(d),
        str(d.n),
    )


def _p(value: float) -> str:
    return p_words(value).removeprefix("p ").removeprefix("= ")


def _odds(d: Difference) -> str:
    if d.odds_ratio is None or d.odds_low is None or d.odds_high is None:
        return "–"
    return f"{_ratio(d.odds_ratio)} [{_ratio(d.odds_low)}, {_ratio(d.odds_high)}]"


def _ratio(value: float) -> str:
    return "∞" if value > 999 else f"{value:.2f}"


def as_json(found: Comparison) -> str:
    """Return the comparison as JSON; what is infinite is null."""
    return msgspec.json.format(msgspec.json.encode(found), indent=2).decode()
