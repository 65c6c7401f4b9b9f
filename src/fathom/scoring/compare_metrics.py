"""Two runs compared by metrics of one's own, whatever these compute."""

from __future__ import annotations

import math
from collections.abc import Sequence, Set
from dataclasses import dataclass

from fathom.english import signed
from fathom.pages.tables import Table
from fathom.records import Question, SampleScore, Score
from fathom.scoring.own_code import Metric
from fathom.scoring.put_alike import put_alike
from fathom.stats.clusters import cluster_of
from fathom.stats.intervals import t_quantile

MOST_PARTS = 40
"""Into how many parts the clusters are dealt that are left out one by one."""

_Key = tuple[str, tuple[tuple[str, str], ...]]


@dataclass(frozen=True)
class MetricDifference:
    """What a metric is of each of two runs; `low` and `high` bound the difference with 95 % (None: unknown).

    `n` is the larger of both scores.
    """

    name: str
    group: dict[str, str]
    first: float | None
    second: float | None
    n: int
    low: float | None = None
    high: float | None = None

    @property
    def value(self) -> float | None:
        """The first minus the second; None where either is unknown."""
        return None if self.first is None or self.second is None else self.first - self.second


def compare_metrics(
    questions: Sequence[Question],
    first: Sequence[SampleScore],
    second: Sequence[SampleScore],
    metrics: Sequence[Metric],
    seed: int = 0,
) -> tuple[MetricDifference, ...]:
    """Return how two runs differ in every score of these metrics, on questions that both were asked alike.

    A metric may be any function of questions and answers, so the interval is that of a jackknife: clusters
    (scenes, pictures, videos) are dealt into at most 40 parts, and the metrics are computed again without
    each of them. No question is seen twice, as it would be in a bootstrap. There is no interval with fewer
    than two parts, nor where a score is unknown without one of them.
    """
    if not metrics:
        return ()
    alike = set(put_alike(first, second))
    asked = [q for q in questions if q.id in alike]
    whole = _scores(asked, first, second, metrics, seed)
    without = [
        _scores([q for q in asked if q.id not in part], first, second, metrics, seed)
        for part in _parts(asked)
    ]
    return tuple(
        MetricDifference(
            name=key[0],
            group=dict(key[1]),
            first=a.value if a else None,
            second=b.value if b else None,
            n=max(s.n for s in (a, b) if s),
            **_bounds(key, whole, without),
        )
        for key, (a, b) in whole.items()
    )


def _scores(
    questions: Sequence[Question],
    first: Sequence[SampleScore],
    second: Sequence[SampleScore],
    metrics: Sequence[Metric],
    seed: int,
) -> dict[_Key, tuple[Score | None, Score | None]]:
    """Return every score of both runs, in the order in which the metrics give them."""
    ids = {q.id for q in questions}
    of_run = [
        {
            (s.name, tuple(sorted(s.group.items()))): s
            for metric in metrics
            for s in metric(questions, [m for m in run if m.question in ids], seed)
        }
        for run in (first, second)
    ]
    return {key: (of_run[0].get(key), of_run[1].get(key)) for key in dict.fromkeys([*of_run[0], *of_run[1]])}


def _parts(questions: Sequence[Question]) -> list[Set[str]]:
    """Return the ids of questions in parts of about equally many clusters; what has no cluster is its own."""
    clusters: dict[str, set[str]] = {}
    for q in sorted(questions, key=lambda q: q.id):
        clusters.setdefault(cluster_of(q) or f" {q.id}", set()).add(q.id)
    ordered = [clusters[name] for name in sorted(clusters)]
    count = min(MOST_PARTS, len(ordered))
    return [set().union(*ordered[k::count]) for k in range(count)] if count > 1 else []


def _bounds(
    key: _Key,
    whole: dict[_Key, tuple[Score | None, Score | None]],
    without: Sequence[dict[_Key, tuple[Score | None, Score | None]]],
) -> dict[str, float | None]:
    value = _less(whole.get(key))
    found = [_less(scores.get(key)) for scores in without]
    known = [v for v in found if v is not None]
    if value is None or len(known) < 2 or len(known) < len(found):
        return {"low": None, "high": None}
    count, middle = len(known), sum(known) / len(known)
    error = math.sqrt((count - 1) / count * sum((v - middle) ** 2 for v in known))
    reach = t_quantile(0.975, count - 1) * error
    return {"low": value - reach, "high": value + reach}


def _less(pair: tuple[Score | None, Score | None] | None) -> float | None:
    if pair is None or pair[0] is None or pair[1] is None:
        return None
    first, second = pair[0].value, pair[1].value
    return None if first is None or second is None else first - second


def metrics_table(found: Sequence[MetricDifference], names: tuple[str, str]) -> Table:
    """Return the comparison by metrics of one's own as a table, a row for each score."""
    rows = tuple(
        (
            ", ".join([d.name, *(f"{key} {part}" for key, part in d.group.items())]),
            _said(d.first),
            _said(d.second),
            "–" if d.value is None else f"{_signed(d.value)} [{_reach(d)}]",
            str(d.n),
        )
        for d in found
    )
    note = "95 % interval by a jackknife of scenes, pictures or videos; not corrected for the number of rows"
    columns = ("", "first", "second", "difference [95 %]", "n")
    return Table(f"Metrics of your own: {names[0]} (first) and {names[1]} (second)", columns, rows, (note,))


def _reach(d: MetricDifference) -> str:
    return "–" if d.low is None or d.high is None else f"{_signed(d.low)}, {_signed(d.high)}"


def _said(value: float | None) -> str:
    return "–" if value is None else f"{value:.4g}"


def _signed(value: float) -> str:
    digits = 1 if abs(value) >= 10 else 2 if abs(value) >= 1 else 3
    return signed(value, digits).replace("-", "−")
